/** Reads what a batch has to know, in as few queries as possible. An event of an existing person reads its claim and nothing else. */
import {
  type Addressed,
  addressOf,
  type Claim,
  type Fate,
  identityKey,
  type Known,
  type Listed,
  type Needs,
  nothingKnown,
  type Profile,
  type Said,
  sharedKeysOf,
  tokenIdentity,
} from '@roster/profile';
import type { Session, Store } from '@roster/store';
import { type Asked, addressesIn, askedBy } from './asked.ts';
import type { TrackRequest } from './batch.ts';

export type Stores = Pick<
  Store,
  'ownersOf' | 'profiles' | 'addresses' | 'tombstones' | 'events' | 'purchases' | 'totals'
>;

const whoIsAsked = ({ serviceIds, emails, phones, tokens }: Asked): object[] => [
  ...(serviceIds.size > 0 ? [{ _id: { $in: [...serviceIds] } }] : []),
  ...[...emails].map(([ws, keys]) => ({ ws, email_key: { $in: [...keys] } })),
  ...[...phones].map(([ws, keys]) => ({ ws, phone_key: { $in: [...keys] } })),
  ...[...tokens].map(([ws, keys]) => ({ ws, token_keys: { $in: [...keys] } })),
];

const listing = {
  ws: 1,
  external_id: 1,
  email_key: 1,
  phone_key: 1,
  token_keys: 1,
  updated_at: 1,
  absorbed: 1,
} as const;

const readListed = async (
  { profiles }: Stores,
  session: Session,
  asked: Asked,
): Promise<Map<string, Listed>> => {
  const filters = whoIsAsked(asked);
  if (filters.length === 0) return new Map();
  const filter = filters.length === 1 ? filters[0] : { $or: filters };
  const found = await profiles
    .find<Listed>(filter ?? {}, { session, batchSize: 10_000, projection: listing })
    .toArray();
  return new Map(found.map((person) => [person._id, person]));
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
): Promise<Map<string, Said[]>> => {
  if (keys.size === 0) return new Map();
  const found = await addresses
    .find({ _id: { $in: [...keys] } }, { session, batchSize: keys.size + 1 })
    .toArray();
  const said = new Map(found.map(({ _id, consents }) => [_id, consents]));
  return new Map([...keys].map((key) => [key, said.get(key) ?? []]));
};

/** Oldest first; where nothing happened, an empty list says so. */
const readFates = async (
  { tombstones }: Stores,
  session: Session,
  keys: ReadonlySet<string>,
): Promise<Map<string, Fate[]>> => {
  if (keys.size === 0) return new Map();
  const found = await tombstones.find(keys, session);
  return new Map(
    [...keys].map((key) => {
      const tombstone = found.get(key);
      return [key, tombstone ? [...(tombstone.earlier ?? []), tombstone] : []];
    }),
  );
};

/** Those found by email or phone are not among them: who is meant, only the plan can tell. */
const changedBy = (
  { changedClaims, changedIds }: Asked,
  claims: Known['claims'],
  listed: Known['listed'],
): Set<string> => {
  const ids = new Set([...changedIds].filter((id) => listed.has(id)));
  for (const key of changedClaims) {
    const claim = claims.get(key);
    if (claim) ids.add(claim.profile);
  }
  return ids;
};

const addressesOf = (person: Addressed): string[] =>
  [addressOf(person, 'email'), addressOf(person, 'phone')].filter((key) => key !== undefined);

/** Most of what the plan would ask for: the addresses of those who change them or say something about consent. */
const addressesAsked = (
  { addressing }: Asked,
  claims: ReadonlyMap<string, Claim>,
  profiles: ReadonlyMap<string, Profile>,
): Set<string> => {
  const keys = new Set<string>();
  for (const item of addressing) {
    const id = item.identifier.by === 'service_id' ? item.identifier.id : claims.get(item.key)?.profile;
    const profile = profiles.get(id ?? '');
    for (const key of addressesIn(item)) keys.add(key);
    for (const key of profile ? addressesOf(profile) : []) keys.add(key);
  }
  return keys;
};

const tokensAsked = ({ tokens }: Asked): string[] =>
  [...tokens].flatMap(([ws, keys]) => [...keys].map((key) => tokenIdentity(ws, key)));

/** Whoever is unknown, or younger than the request, may be known under a tombstone. */
const fatesAsked = (
  asked: Asked,
  claims: ReadonlyMap<string, Claim>,
  listed: ReadonlyMap<string, Listed>,
): Set<string> => {
  const keys = new Set<string>();
  for (const [key, at] of asked.claims) if ((claims.get(key)?.at ?? at + 1) > at) keys.add(key);
  if (asked.others.size + asked.tokens.size === 0) return keys;
  const present = new Set<string>();
  for (const person of listed.values()) {
    present.add(identityKey(person.ws, { by: 'service_id', id: person._id }));
    for (const key of sharedKeysOf(person)) present.add(key);
  }
  for (const key of [...asked.others, ...tokensAsked(asked)]) if (!present.has(key)) keys.add(key);
  return keys;
};

export const load = async (
  stores: Stores,
  session: Session,
  requests: readonly TrackRequest[],
): Promise<Known> => {
  const asked = askedBy(requests);
  const claims = await stores.ownersOf([...asked.claims.keys()], session);
  const listed = await readListed(stores, session, asked);
  const profiles = await readProfiles(stores, session, changedBy(asked, claims, listed));
  const fates = await readFates(stores, session, fatesAsked(asked, claims, listed));
  const addresses = await readAddresses(stores, session, addressesAsked(asked, claims, profiles));
  return { ...nothingKnown, claims, listed, profiles, fates, addresses };
};

/** The later of a person's last event and last purchase, as a stamp. Those of absorbed profiles are theirs too. */
const lastActivity = async (
  { events, purchases, totals }: Stores,
  session: Session,
  ids: readonly string[],
): Promise<number> => {
  const theirs = { profile: { $in: [...ids] } };
  const last = { session, sort: { time: -1 }, projection: { _id: 0, time: 1 } } as const;
  const event = await events.findOne(theirs, last);
  const purchase = await purchases.findOne(theirs, last);
  const rolledUp = await totals.lastOf(ids, session);
  return 1000 * Math.max(event?.time.getTime() ?? 0, purchase?.time.getTime() ?? 0, rolledUp);
};

/** What only planning could tell that it is needed: whoever is found by an email that several people share. */
export const loadMore = async (
  stores: Stores,
  session: Session,
  known: Known,
  needs: Needs,
): Promise<Known> => {
  const more = await readProfiles(stores, session, needs.profiles);
  const missing = [...needs.profiles].filter((id) => !more.has(id));
  const activity = new Map(known.activity);
  for (const id of needs.activity) {
    const absorbed = (known.listed.get(id) ?? known.profiles.get(id))?.absorbed ?? [];
    activity.set(id, await lastActivity(stores, session, [id, ...absorbed]));
  }
  return {
    ...known,
    profiles: new Map([...known.profiles, ...more]),
    absent: new Set([...known.absent, ...missing]),
    activity,
    addresses: new Map([...known.addresses, ...(await readAddresses(stores, session, needs.addresses))]),
    fates: new Map([...known.fates, ...(await readFates(stores, session, needs.fates))]),
  };
};
