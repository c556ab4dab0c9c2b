/** Reads what a batch has to know, in as few queries as possible. Of those who share an address only since when the first of them has it. */
import {
  addressKeyOf,
  addressKeysOf,
  addressOf,
  type Needs,
  nothingKnown,
  type Profile,
  personKeyOf,
  type Stamp,
  type SubscriptionKnown,
  type SubscriptionRequest,
} from '@roster/profile';
import { readAddresses, type Session, type Store } from '@roster/store';

export type Stores = Pick<Store, 'ownersOf' | 'profiles' | 'addresses' | 'tombstones' | 'consentHistory'>;

const keysBy = (requests: readonly SubscriptionRequest[], keyOf: typeof addressKeyOf): Set<string> => {
  const keys = new Set<string>();
  for (const { ws, statements } of requests)
    for (const statement of statements) {
      const key = keyOf(ws, statement);
      if (key !== undefined) keys.add(key);
    }
  return keys;
};

/** Nothing else of a person counts here; all else would only be read, and may be large. */
const members = {
  ws: 1,
  external_id: 1,
  email_key: 1,
  phone_key: 1,
  'fields.email': 1,
  'fields.phone': 1,
  consents: 1,
  created_at: 1,
  updated_at: 1,
} as const;

type Read = Omit<Profile, 'lists' | 'custom'>;

const personOf = (read: Read): Profile => ({ ...read, fields: read.fields ?? {}, lists: {}, custom: [] });

const readProfiles = async (
  { profiles }: Stores,
  session: Session,
  ids: ReadonlySet<string>,
): Promise<Map<string, Profile>> => {
  if (ids.size === 0) return new Map();
  const found = await profiles
    .find<Read>({ _id: { $in: [...ids] } }, { session, batchSize: ids.size + 1, projection: members })
    .toArray();
  return new Map(found.map((read) => [read._id, personOf(read)]));
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
    const some = values.get(ws) ?? [];
    some.push(key.slice(ws.length + 3));
    values.set(ws, some);
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

/** More share a phone than anybody looks at: then what is repeated may be missing from the history of some. */
const mostOwners = 200;

/** Who has one of the phones. */
const readOwners = async (
  { profiles }: Stores,
  session: Session,
  keys: ReadonlySet<string>,
): Promise<Profile[]> => {
  const filters = [...byWorkspace(keys, 'p')].map(([ws, phones]) => ({ ws, phone_key: { $in: phones } }));
  if (filters.length === 0) return [];
  const options = { session, limit: mostOwners, batchSize: mostOwners, projection: members };
  const found = await profiles.find<Read>({ $or: filters }, options).toArray();
  return found.map(personOf);
};

const ownersBy = (all: readonly Profile[]): Map<string, string[]> => {
  const owners = new Map<string, string[]>();
  for (const profile of all) {
    const key = addressOf(profile, 'phone') ?? '';
    const some = owners.get(key) ?? [];
    some.push(profile._id);
    owners.set(key, some);
  }
  return owners;
};

const oldestOf = (requests: readonly SubscriptionRequest[]): Stamp =>
  requests.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);

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
  // Tracks and merges that were accepted later may have been faster.
  const oldest = oldestOf(requests);
  const leftBy = await stores.consentHistory.leftBy(new Map([...named].map((key) => [key, oldest])), session);
  const ids = new Set([
    ...[...claims.values()].map(({ profile }) => profile),
    ...[...leftBy.values()].flatMap((leavers) => leavers.map(({ profile }) => profile)),
  ]);
  const sharers = await readOwners(stores, session, named);
  const profiles = await readProfiles(stores, session, ids);
  for (const profile of sharers) profiles.set(profile._id, profile);
  const fates = await stores.tombstones.fatesOf([...doubtful(people, claims, requests), ...named], session);
  const addresses = await readAddresses(
    stores.addresses,
    session,
    new Set([...named, ...[...profiles.values()].flatMap(addressKeysOf)]),
  );
  const hadSince = await readHadSince(stores, session, named);
  const owners = ownersBy(sharers);
  return { ...nothingKnown, claims, profiles, fates, addresses, hadSince, leftBy, owners };
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
    addresses: new Map([
      ...known.addresses,
      ...(await readAddresses(stores.addresses, session, needs.addresses)),
    ]),
    fates: new Map([...known.fates, ...(await stores.tombstones.fatesOf(needs.fates, session))]),
    leftBy: new Map([...known.leftBy, ...(await stores.consentHistory.leftBy(needs.leftBy, session))]),
    stays: new Map([...known.stays, ...(await stores.consentHistory.staysOf(needs.stays, session))]),
  };
};
