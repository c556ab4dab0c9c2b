/** Reads what a batch has to know, in as few queries as possible. */
import {
  type Asked,
  addressKeysOf,
  askedBy,
  type IdentityKnown,
  type IdentityNeeds,
  type IdentityRequest,
  type Profile,
  type Sharer,
} from '@roster/profile';
import { readActivity, readAddresses, type Session, type Store } from '@roster/store';

export type Stores = Pick<
  Store,
  'ownersOf' | 'profiles' | 'addresses' | 'tombstones' | 'events' | 'purchases' | 'totals'
>;

const listing = {
  ws: 1,
  external_id: 1,
  email_key: 1,
  phone_key: 1,
  'fields.email.at': 1,
  'fields.email.since': 1,
  'fields.phone.at': 1,
  'fields.phone.since': 1,
  updated_at: 1,
  absorbed: 1,
} as const;

/** `ws:m:email` and `ws:p:phone`, back into what is looked for. */
const filterOf = (key: string): object => {
  const [ws = '', kind = ''] = key.split(':', 2);
  const value = key.slice(ws.length + kind.length + 2);
  return kind === 'm' ? { ws, email_key: value } : { ws, phone_key: value };
};

const readSharers = async (
  { profiles }: Stores,
  session: Session,
  keys: ReadonlySet<string>,
): Promise<Map<string, Sharer[]>> => {
  const sharers = new Map<string, Sharer[]>([...keys].map((key) => [key, []]));
  if (keys.size === 0) return sharers;
  const found = await profiles
    .find<Sharer>({ $or: [...keys].map(filterOf) }, { session, batchSize: 10_000, projection: listing })
    .toArray();
  for (const person of found) for (const key of addressKeysOf(person)) sharers.get(key)?.push(person);
  return sharers;
};

const readProfiles = async (
  { profiles }: Stores,
  session: Session,
  ids: ReadonlySet<string>,
): Promise<Map<string, Profile | undefined>> => {
  const all = new Map<string, Profile | undefined>([...ids].map((id) => [id, undefined]));
  if (ids.size === 0) return all;
  const found = await profiles
    .find({ _id: { $in: [...ids] } }, { session, batchSize: ids.size + 1 })
    .toArray();
  for (const profile of found) all.set(profile._id, profile);
  return all;
};

/** Whose claim could be another one's than it was when the oldest of the requests was accepted, or who has none. */
const doubtful = (
  { claims }: Asked,
  owners: IdentityKnown['claims'],
  requests: readonly IdentityRequest[],
): string[] => {
  const oldest = requests.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
  return [...claims].filter((key) => (owners.get(key)?.at ?? Number.POSITIVE_INFINITY) > oldest);
};

export const load = async (
  stores: Stores,
  session: Session,
  requests: readonly IdentityRequest[],
): Promise<IdentityKnown> => {
  const asked = askedBy(requests);
  const claims = await stores.ownersOf([...asked.claims], session);
  const ids = new Set([...[...claims.values()].map(({ profile }) => profile), ...asked.serviceIds]);
  const profiles = await readProfiles(stores, session, ids);
  const sharers = await readSharers(stores, session, asked.addresses);
  const fates = await stores.tombstones.fatesOf(doubtful(asked, claims, requests), session);
  return { claims, sharers, profiles, fates, activity: new Map(), said: new Map() };
};

const joined = <Value>(
  known: ReadonlyMap<string, Value>,
  more: ReadonlyMap<string, Value>,
): ReadonlyMap<string, Value> => (more.size === 0 ? known : new Map([...known, ...more]));

/** What only planning could tell that it is needed. */
export const loadMore = async (
  stores: Stores,
  session: Session,
  known: IdentityKnown,
  needs: IdentityNeeds,
): Promise<IdentityKnown> => {
  const listed = new Map([...known.sharers.values()].flat().map((one) => [one._id, one]));
  const absorbedOf = (id: string): string[] => (known.profiles.get(id) ?? listed.get(id))?.absorbed ?? [];
  return {
    claims: known.claims,
    profiles: joined(known.profiles, await readProfiles(stores, session, needs.profiles)),
    sharers: joined(known.sharers, await readSharers(stores, session, needs.sharers)),
    fates: known.fates,
    said: joined(known.said, await readAddresses(stores.addresses, session, needs.said)),
    activity: joined(known.activity, await readActivity(stores, session, needs.activity, absorbedOf)),
  };
};
