/** People who share an email, phone or push token: all of them, or of very many those who can be meant at all. What a batch holds is bounded. */
import type { Session } from './db.ts';
import type { Store } from './open-store.ts';

/** What people may share; with `contacts.v` an email or phone that they had. */
export interface Shared {
  ws: string;
  by: 'email_key' | 'phone_key' | 'token_keys' | 'contacts.v';
  value: string;
}

/** Who left a contact after a stamp has a change of contacts after it. */
const also = (by: Shared['by'], since: number): object =>
  by === 'contacts.v' ? { contacts_at: { $gt: since } } : {};

export interface SharersOptions {
  /** The stamp of the oldest request: who left an email or phone before it is not asked for. */
  since: number;
  /** Those who share what is asked for: nothing but these members of them is read. */
  projection: Readonly<Record<string, 1>>;
  /** Finds those who can be meant among very many: no more than `most`. */
  foremost(most: number): object[];
}

/** One branch for each workspace and kind. */
const filterOf = (all: readonly Shared[], since: number): object => {
  const branches = new Map<string, { ws: string; by: Shared['by']; values: string[] }>();
  for (const { ws, by, value } of all) {
    const branch = branches.get(`${by} ${ws}`);
    if (branch) branch.values.push(value);
    else branches.set(`${by} ${ws}`, { ws, by, values: [value] });
  }
  const filters = [...branches.values()].map(({ ws, by, values }) => ({
    ws,
    [by]: { $in: values },
    ...also(by, since),
  }));
  return filters.length === 1 ? (filters[0] ?? {}) : { $or: filters };
};

/** Of an address that is shared by more, so many of those found first are looked at. */
const mostLookedAt = 20_000;

/** A thousand of each address, or fewer of many: what a batch holds in memory has a bound. */
const mostOfEach = (addresses: number): number => Math.max(100, Math.min(1000, Math.floor(1e5 / addresses)));

export const readSharers = async <Person extends object>(
  { profiles }: Pick<Store, 'profiles'>,
  session: Session,
  all: readonly Shared[],
  { since, projection, foremost }: SharersOptions,
): Promise<Person[]> => {
  const most = mostOfEach(all.length);

  const readForemost = (shared: Shared): Promise<Person[]> =>
    profiles
      .aggregate<Person>(
        [
          { $match: filterOf([shared], since) },
          { $limit: mostLookedAt },
          { $project: projection },
          ...foremost(most),
        ],
        { session },
      )
      .toArray();

  /** All who share them, if those are not too many; else by halves, down to the one that so many share. */
  const read = async (shared: readonly Shared[]): Promise<Person[]> => {
    const enough = 4 * shared.length + most;
    const found = await profiles
      .find<Person>(filterOf(shared, since), { session, batchSize: 10_000, projection, limit: enough + 1 })
      .toArray();
    if (found.length <= enough) return found;
    const [only, ...more] = shared;
    if (only && more.length === 0) return readForemost(only);
    const half = shared.length >> 1;
    return [...(await read(shared.slice(0, half))), ...(await read(shared.slice(half)))];
  };

  return all.length === 0 ? [] : read(all);
};
