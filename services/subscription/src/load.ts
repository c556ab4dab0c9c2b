/** Reads what a batch has to know, in as few queries as possible. Of those who share an address only since when the first of them has it. */
import {
  addressKeyOf,
  addressOf,
  type Fate,
  type Leaver,
  type Needs,
  nothingKnown,
  type Profile,
  personKeyOf,
  type Said,
  type Stamp,
  type SubscriptionKnown,
  type SubscriptionRequest,
  stayKind,
} from '@roster/profile';
import type { Session, Store } from '@roster/store';

export type Stores = Pick<Store, 'ownersOf' | 'profiles' | 'addresses' | 'tombstones' | 'consents'>;

const keysBy = (requests: readonly SubscriptionRequest[], keyOf: typeof addressKeyOf): Set<string> => {
  const keys = new Set<string>();
  for (const { ws, statements } of requests)
    for (const statement of statements) {
      const key = keyOf(ws, statement);
      if (key !== undefined) keys.add(key);
    }
  return keys;
};

const readProfiles = async (
  { profiles }: Stores,
  session: Session,
  ids: ReadonlySet<string>,
): Promise<Map<string, Profile>> => {
  if (ids.size === 0) return new Map();
  const found = await profiles
    .find({ _id: { $in: [...ids] } }, { session, batchSize: ids.size + 1 })
    .toArray();
  return new Map(found.map((profile) => [profile._id, profile]));
};

/** Where nothing was said, an empty list says so. */
const readAddresses = async (
  { addresses }: Stores,
  session: Session,
  keys: ReadonlySet<string>,
): Promise<Map<string, readonly Said[]>> => {
  const said = new Map<string, readonly Said[]>([...keys].map((key) => [key, []]));
  if (keys.size === 0) return said;
  const found = await addresses
    .find({ _id: { $in: [...keys] } }, { session, batchSize: keys.size + 1 })
    .toArray();
  for (const { _id, consents } of found) said.set(_id, consents);
  return said;
};

/** Oldest first; where nothing happened, an empty list says so. */
const readFates = async (
  { tombstones }: Stores,
  session: Session,
  keys: ReadonlySet<string>,
): Promise<Map<string, readonly Fate[]>> => {
  if (keys.size === 0) return new Map();
  const found = await tombstones.find(keys, session);
  return new Map(
    [...keys].map((key) => {
      const tombstone = found.get(key);
      return [key, tombstone ? [...(tombstone.earlier ?? []), tombstone] : []];
    }),
  );
};

interface Shared {
  _id: { ws: string; key: string };
  since: Stamp;
}

const kinds = { m: ['email_key', 'email'], p: ['phone_key', 'phone'] } as const;

const byWorkspace = (keys: ReadonlySet<string>, kind: keyof typeof kinds): Map<string, string[]> => {
  const values = new Map<string, string[]>();
  for (const key of keys) {
    const [ws = '', found = ''] = key.split(':', 2);
    if (found !== kind) continue;
    values.set(ws, [...(values.get(ws) ?? []), key.slice(ws.length + 3)]);
  }
  return values;
};

export const readHadSince = async (
  { profiles }: Pick<Store, 'profiles'>,
  session: Session,
  keys: ReadonlySet<string>,
): Promise<Map<string, Stamp>> => {
  const since = new Map<string, Stamp>();
  for (const [kind, [member, field]] of Object.entries(kinds)) {
    for (const [ws, values] of byWorkspace(keys, kind as keyof typeof kinds)) {
      const stages = [
        { $match: { ws, [member]: { $in: values } } },
        {
          $group: {
            _id: { ws: '$ws', key: `$${member}` },
            since: { $min: { $ifNull: [`$fields.${field}.since`, `$fields.${field}.at`] } },
          },
        },
      ];
      const found = await profiles.aggregate<Shared>(stages, { session, batchSize: 10_000 }).toArray();
      for (const { _id, since: first } of found) since.set(`${_id.ws}:${kind}:${_id.key}`, first);
    }
  }
  return since;
};

const oldestOf = (requests: readonly SubscriptionRequest[]): Stamp =>
  requests.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);

/** Tracks that were accepted later may have been faster. */
const readLeavers = async (
  { consents }: Stores,
  session: Session,
  keys: ReadonlySet<string>,
  oldest: Stamp,
): Promise<Map<string, Leaver[]>> => {
  const leavers = new Map<string, Leaver[]>();
  if (keys.size === 0) return leavers;
  const filter = { address: { $in: [...keys] }, k: stayKind, at: { $gt: oldest } };
  const found = await consents.find(filter, { session, batchSize: 1000 }).toArray();
  for (const { address = '', profile = '', since = 0, at: until } of found)
    leavers.set(address, [...(leavers.get(address) ?? []), { profile, since, until }]);
  return leavers;
};

const addressesOf = (profiles: Iterable<Profile>): string[] =>
  [...profiles].flatMap((profile) =>
    [addressOf(profile, 'email'), addressOf(profile, 'phone')].filter((key) => key !== undefined),
  );

/** Whose claim could be another one's than it was when the oldest of the requests was accepted, or who has none. */
const doubtful = (
  keys: ReadonlySet<string>,
  claims: SubscriptionKnown['claims'],
  requests: readonly SubscriptionRequest[],
): string[] => {
  const oldest = oldestOf(requests);
  return [...keys].filter((key) => (claims.get(key)?.at ?? Number.POSITIVE_INFINITY) > oldest);
};

export const load = async (
  stores: Stores,
  session: Session,
  requests: readonly SubscriptionRequest[],
): Promise<SubscriptionKnown> => {
  const people = keysBy(requests, personKeyOf);
  const named = keysBy(requests, addressKeyOf);
  const claims = await stores.ownersOf([...people], session);
  const leftBy = await readLeavers(stores, session, named, oldestOf(requests));
  const ids = new Set([
    ...[...claims.values()].map(({ profile }) => profile),
    ...[...leftBy.values()].flatMap((leavers) => leavers.map(({ profile }) => profile)),
  ]);
  const profiles = await readProfiles(stores, session, ids);
  const fates = await readFates(stores, session, new Set([...doubtful(people, claims, requests), ...named]));
  const addresses = await readAddresses(
    stores,
    session,
    new Set([...named, ...addressesOf(profiles.values())]),
  );
  const hadSince = await readHadSince(stores, session, named);
  return { ...nothingKnown, claims, profiles, fates, addresses, hadSince, leftBy };
};

/** What only planning could tell that it is needed: whom somebody was merged into. */
export const loadMore = async (
  stores: Stores,
  session: Session,
  known: SubscriptionKnown,
  needs: Needs,
): Promise<SubscriptionKnown> => {
  const more = await readProfiles(stores, session, needs.profiles);
  const missing = [...needs.profiles].filter((id) => !more.has(id));
  return {
    ...known,
    profiles: new Map([...known.profiles, ...more]),
    absent: new Set([...known.absent, ...missing]),
    // Whoever of them comes first, what is said is said of the address.
    activity: new Map([...known.activity, ...[...needs.activity].map((id) => [id, 0] as const)]),
    addresses: new Map([...known.addresses, ...(await readAddresses(stores, session, needs.addresses))]),
    fates: new Map([...known.fates, ...(await readFates(stores, session, needs.fates))]),
  };
};
