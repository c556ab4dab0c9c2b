/** Everybody who may be meant by the emails, phones, push tokens and service ids of a batch: as much of them as finding takes. */
import type { Listed } from '@roster/profile';
import type { Session, Store } from '@roster/store';
import type { Asked } from './asked.ts';

type Stores = Pick<Store, 'profiles'>;

/** What people may share. */
interface Shared {
  ws: string;
  by: 'email_key' | 'phone_key' | 'token_keys';
  value: string;
}

const listing = {
  ws: 1,
  external_id: 1,
  email_key: 1,
  phone_key: 1,
  token_keys: 1,
  updated_at: 1,
  absorbed: 1,
} as const;

const sharedIn = ({ emails, phones, tokens }: Asked): Shared[] =>
  [['email_key', emails] as const, ['phone_key', phones] as const, ['token_keys', tokens] as const].flatMap(
    ([by, all]) => [...all].flatMap(([ws, values]) => [...values].map((value) => ({ ws, by, value }))),
  );

/** One branch for each workspace and kind. */
const filterOf = (all: readonly Shared[]): object => {
  const branches = new Map<string, { ws: string; by: string; values: string[] }>();
  for (const { ws, by, value } of all) {
    const branch = branches.get(`${by} ${ws}`);
    if (branch) branch.values.push(value);
    else branches.set(`${by} ${ws}`, { ws, by, values: [value] });
  }
  const filters = [...branches.values()].map(({ ws, by, values }) => ({ ws, [by]: { $in: values } }));
  return filters.length === 1 ? (filters[0] ?? {}) : { $or: filters };
};

/** Of an address that is shared by more, so many of those found first are looked at. */
const mostLookedAt = 20_000;

/** Those who would be meant if nobody had done anything since their last change. */
const foremost = ({ profiles }: Stores, session: Session, shared: Shared, most: number): Promise<Listed[]> =>
  profiles
    .aggregate<Listed>(
      [
        { $match: filterOf([shared]) },
        { $limit: mostLookedAt },
        { $project: { ...listing, identified: { $gt: ['$external_id', null] } } },
        { $sort: { identified: -1, updated_at: -1, _id: 1 } },
        { $limit: most },
        { $unset: 'identified' },
      ],
      { session },
    )
    .toArray();

/** All who share them, if those are not too many; else by halves, down to the one that so many share. */
const readShared = async (
  stores: Stores,
  session: Session,
  shared: readonly Shared[],
  most: number,
): Promise<Listed[]> => {
  const enough = 4 * shared.length + most;
  const found = await stores.profiles
    .find<Listed>(filterOf(shared), { session, batchSize: 10_000, projection: listing, limit: enough + 1 })
    .toArray();
  if (found.length <= enough) return found;
  const [only, ...more] = shared;
  if (only && more.length === 0) return foremost(stores, session, only, most);
  const half = shared.length >> 1;
  return [
    ...(await readShared(stores, session, shared.slice(0, half), most)),
    ...(await readShared(stores, session, shared.slice(half), most)),
  ];
};

/** A thousand of each address, or fewer of many: what a batch holds in memory has a bound. */
const mostOfEach = (addresses: number): number => Math.max(100, Math.min(1000, Math.floor(1e5 / addresses)));

export const readListed = async (
  stores: Stores,
  session: Session,
  asked: Asked,
): Promise<Map<string, Listed>> => {
  const listed = new Map<string, Listed>();
  const shared = sharedIn(asked);
  if (shared.length > 0)
    for (const person of await readShared(stores, session, shared, mostOfEach(shared.length)))
      listed.set(person._id, person);
  if (asked.serviceIds.size > 0)
    for (const person of await stores.profiles
      .find<Listed>(
        { _id: { $in: [...asked.serviceIds.values()].map(({ id }) => id) } },
        { session, batchSize: 10_000, projection: listing },
      )
      .toArray())
      listed.set(person._id, person);
  return listed;
};
