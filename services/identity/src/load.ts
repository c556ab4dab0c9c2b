/** Reads what a batch has to know, in as few queries as possible. */
import {
  type Asked,
  addressKeysOf,
  askedBy,
  type IdentityKnown,
  type IdentityNeeds,
  type IdentityRequest,
  type Profile,
  type Said,
  type Sharer,
} from '@roster/profile';
import type { Session, Store } from '@roster/store';

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

const readFates = async (
  { tombstones }: Stores,
  session: Session,
  keys: readonly string[],
): Promise<IdentityKnown['fates']> => {
  const fates = new Map<string, { at: number; to?: string }[]>(keys.map((key) => [key, []]));
  if (keys.length === 0) return fates;
  for (const [key, { earlier = [], ...last }] of await tombstones.find(keys, session))
    fates.set(key, [...earlier, last]);
  return fates;
};

const readSaid = async (
  { addresses }: Stores,
  session: Session,
  keys: ReadonlySet<string>,
): Promise<IdentityKnown['said']> => {
  const said = new Map<string, readonly Said[]>([...keys].map((key) => [key, []]));
  if (keys.size === 0) return said;
  const found = await addresses
    .find({ _id: { $in: [...keys] } }, { session, batchSize: keys.size + 1 })
    .toArray();
  for (const { _id, consents } of found) said.set(_id, consents);
  return said;
};

/** The later of the last event and the last purchase, as a stamp; also those of profiles that were absorbed. */
const lastActivity = async (
  { events, purchases, totals }: Stores,
  session: Session,
  ids: readonly string[],
): Promise<number> => {
  const last = { session, sort: { time: -1 }, projection: { _id: 0, time: 1 } } as const;
  const event = await events.findOne({ profile: { $in: [...ids] } }, last);
  const purchase = await purchases.findOne({ profile: { $in: [...ids] } }, last);
  const rolledUp = await totals.lastOf(ids, session);
  return 1000 * Math.max(event?.time.getTime() ?? 0, purchase?.time.getTime() ?? 0, rolledUp);
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
  const fates = await readFates(stores, session, doubtful(asked, claims, requests));
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
  const activity = new Map(known.activity);
  for (const id of needs.activity)
    activity.set(id, await lastActivity(stores, session, [id, ...absorbedOf(id)]));
  return {
    claims: known.claims,
    profiles: joined(known.profiles, await readProfiles(stores, session, needs.profiles)),
    sharers: joined(known.sharers, await readSharers(stores, session, needs.sharers)),
    fates: known.fates,
    said: joined(known.said, await readSaid(stores, session, needs.said)),
    activity,
  };
};
