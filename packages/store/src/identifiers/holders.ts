/**
 * Reads the people who have an email, phone or push token: all of them, or, if there are very many, only the candidates for the choice. The
 * result is bounded.
 */
import { grouped, type KeyKind, keyParts } from '@roster/profile';
import type { Session } from '../connection/db.ts';
import type { Store } from '../connection/open-store.ts';

/** A value that several people may have; `contacts.v` is an email or phone that they had before. */
export interface HolderLookup {
  ws: string;
  by: 'email_key' | 'phone_key' | 'token_keys' | 'contacts.v';
  value: string;
}

/** A person who left a contact after a stamp has a change of contacts after the stamp. */
const also = (by: HolderLookup['by'], since: number): object =>
  by === 'contacts.v' ? { contacts_at: { $gt: since } } : {};

export interface HolderOptions {
  /** The stamp of the oldest request: people who left an email or phone before it are not read. */
  since: number;
  /** The members that are read. */
  projection: Readonly<Record<string, 1>>;
  /** Stages that choose at most `most` people out of very many. */
  foremost(most: number): object[];
}

/** A projection: the members of a profile by which holders are found and chosen. */
export const holderMembers = {
  ws: 1,
  external_id: 1,
  email_key: 1,
  phone_key: 1,
  'fields.email.at': 1,
  'fields.email.since': 1,
  'fields.phone.at': 1,
  'fields.phone.since': 1,
  contacts: 1,
  updated_at: 1,
  absorbed: 1,
} as const;

const holderFields: { readonly [By in KeyKind]?: string } = {
  email: 'email_key',
  phone: 'phone_key',
  push_token: 'token_keys',
};

/** Whether a person has this email, phone or push token, by its identity key. */
export const isHeld = async (
  profiles: Store['profiles'],
  key: string,
  session?: Session,
): Promise<boolean> => {
  const parts = keyParts(key);
  const field = parts && holderFields[parts.by];
  if (!parts || field === undefined) return false;
  const held = { ws: parts.ws, [field]: parts.value };
  return (await profiles.findOne(held, { ...(session && { session }), projection: { _id: 1 } })) !== null;
};

/** One branch for each workspace and kind. */
const filterOf = (all: readonly HolderLookup[], since: number): object => {
  const branches = grouped(all, ({ ws, by }) => `${by} ${ws}`);
  const filters = [...branches.values()].flatMap((some) => {
    const [first] = some;
    if (!first) return [];
    const { ws, by } = first;
    return [{ ws, [by]: { $in: some.map(({ value }) => value) }, ...also(by, since) }];
  });
  return filters.length === 1 ? (filters[0] ?? {}) : { $or: filters };
};

/** If a contact has more holders, this many of those found first are read. */
const mostExamined = 20_000;

/** A thousand for each lookup, fewer when there are many: the memory of a batch is bounded. */
const mostOfEach = (lookups: number): number => Math.max(100, Math.min(1000, Math.floor(1e5 / lookups)));

export const readHolders = async <Person extends object>(
  { profiles }: Pick<Store, 'profiles'>,
  session: Session,
  all: readonly HolderLookup[],
  { since, projection, foremost }: HolderOptions,
): Promise<Person[]> => {
  const most = mostOfEach(all.length);

  const readForemost = (lookup: HolderLookup): Promise<Person[]> =>
    profiles
      .aggregate<Person>(
        [
          { $match: filterOf([lookup], since) },
          { $limit: mostExamined },
          { $project: projection },
          ...foremost(most),
        ],
        { session },
      )
      .toArray();

  /** All holders, if they are not too many; otherwise it reads the halves, down to the one lookup with so many holders. */
  const read = async (lookups: readonly HolderLookup[]): Promise<Person[]> => {
    const enough = 4 * lookups.length + most;
    const found = await profiles
      .find<Person>(filterOf(lookups, since), { session, batchSize: 10_000, projection, limit: enough + 1 })
      .toArray();
    if (found.length <= enough) return found;
    const [only, ...more] = lookups;
    if (only && more.length === 0) return readForemost(only);
    const half = lookups.length >> 1;
    return [...(await read(lookups.slice(0, half))), ...(await read(lookups.slice(half)))];
  };

  return all.length === 0 ? [] : read(all);
};
