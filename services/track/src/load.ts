/** Reads the data that a batch needs, in as few queries as possible. An event of an existing person reads its claim and nothing else. */
import { joined } from '@roster/batch';
import {
  contactsIn,
  currentContactKeysOf,
  type Deletions,
  emailKey,
  type Holder,
  type IdentityClaim,
  type Item,
  identityKey,
  type Needs,
  nothingKnown,
  type PlanKnown,
  type Profile,
  sharedKeysOf,
  type TrackEntry,
} from '@roster/profile';
import {
  type LoadBudget,
  readActivity,
  readMerged,
  readProfiles,
  type Session,
  type StoresOfPeople,
} from '@roster/store';
import { askedBy, namesIn, type TrackLookups } from './asked.ts';
import { readListed } from './listed.ts';
import type { TrackRequest } from './operations.ts';

/** The person of an attribute object, who will be changed. Without people found by email or phone: only the plan can choose between them. */
const personOf = (
  { identifier, key }: Item<TrackEntry>,
  { claims, listed }: Pick<PlanKnown, 'claims' | 'listed'>,
): string | undefined => {
  if (identifier.by !== 'service_id') return claims.get(key)?.profile;
  return listed.has(identifier.id) ? identifier.id : undefined;
};

/** Whether the entry gives the person another email or phone than they have. */
const isMoving = ({ entry: { email, phone } }: Item<TrackEntry>, profile: Profile): boolean =>
  (email !== undefined && profile.email_key !== (email === null ? undefined : emailKey(email))) ||
  (phone !== undefined && profile.phone_key !== (phone ?? undefined));

/** Whether the entry has a statement of consent that is about a contact too. */
const isStating = ({ entry }: Item<TrackEntry>): boolean =>
  'email_subscribe' in entry || 'subscription_groups' in entry;

/** Most of the contacts that the plan needs: those of people whose contact changes, and of people with a statement of consent. */
const contactsOf = (item: Item<TrackEntry>, profile: Profile | undefined): string[] => [
  ...(isStating(item) ? contactsIn(item) : []),
  ...(profile && (isStating(item) || isMoving(item, profile)) ? currentContactKeysOf(profile) : []),
];

/** An identifier without an owner, or with one younger than the request, may have a tombstone. */
const fatesAsked = (
  asked: TrackLookups,
  claims: ReadonlyMap<string, IdentityClaim>,
  listed: ReadonlyMap<string, Holder>,
): Set<string> => {
  const keys = new Set<string>();
  for (const [key, at] of asked.claims) if ((claims.get(key)?.at ?? at + 1) > at) keys.add(key);
  if (asked.serviceIds.size + asked.shared.size === 0) return keys;
  const present = new Set<string>();
  for (const person of listed.values()) {
    present.add(identityKey(person.ws, { by: 'service_id', id: person._id }));
    for (const key of sharedKeysOf(person)) present.add(key);
  }
  for (const key of [...asked.serviceIds.keys(), ...asked.shared]) if (!present.has(key)) keys.add(key);
  return keys;
};

export const load = async (
  stores: StoresOfPeople,
  session: Session,
  requests: readonly TrackRequest[],
  budget: LoadBudget,
  deletions?: Deletions,
): Promise<PlanKnown> => {
  const asked = askedBy(requests, deletions);
  const claims = await stores.ownersOf([...asked.claims.keys()], session);
  const listed = await readListed(stores, session, asked);
  const changing = requests
    .flatMap(({ attributes }) => attributes)
    .map((item) => ({ item, id: personOf(item, { claims, listed }) }));
  const ids = new Set(changing.flatMap(({ id }) => id ?? []));
  const { profiles, bytes, unloaded } = await readProfiles(stores.profiles, session, ids, {
    budget,
    names: () => namesIn(requests),
  });
  const fates = await stores.tombstones.fatesOf(fatesAsked(asked, claims, listed), session);
  const contactKeys = changing.flatMap(({ item, id }) => contactsOf(item, profiles.get(id ?? '')));
  const contacts = await stores.contactConsents.read(new Set(contactKeys), { session });
  const gone = [...asked.serviceIds.values()].filter(({ id }) => !listed.has(id));
  const merged = await readMerged(stores, session, gone);
  return { ...nothingKnown, claims, merged, listed, profiles, bytes, unloaded, fates, contacts };
};

/** The needs that only planning finds: the person found by an email that several people share. */
export const loadMore = async (
  stores: StoresOfPeople,
  session: Session,
  known: PlanKnown,
  needs: Needs,
  requests: readonly TrackRequest[],
  budget: LoadBudget,
): Promise<PlanKnown> => {
  const more = await readProfiles(stores.profiles, session, needs.profiles, {
    budget,
    names: () => namesIn(requests),
  });
  const looked = [...needs.profiles].filter((id) => !more.unloaded.has(id));
  const absorbedBy = (id: string): readonly string[] =>
    (known.listed.get(id) ?? known.profiles.get(id))?.absorbed ?? [];
  const activity = await readActivity(stores, session, needs.activity, absorbedBy);
  return {
    ...known,
    profiles: joined(known.profiles, new Map(looked.map((id) => [id, more.profiles.get(id)]))),
    bytes: joined(known.bytes, more.bytes),
    unloaded: new Set([...known.unloaded, ...more.unloaded]),
    activity: joined(known.activity, activity),
    contacts: joined(known.contacts, await stores.contactConsents.read(needs.contacts, { session })),
    fates: joined(known.fates, await stores.tombstones.fatesOf(needs.fates, session)),
  };
};
