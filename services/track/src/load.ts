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
  tokenIdentity,
} from '@roster/profile';
import {
  type LoadBudget,
  readActivity,
  readMerged,
  readProfiles,
  type Session,
  type StoresOfPeople,
} from '@roster/store';
import { askedBy, isStating, namesIn, type TrackLookups } from './asked.ts';
import { readListed } from './listed.ts';
import type { TrackRequest } from './operations.ts';

/** Without people found by email or phone: only the plan can choose between them. */
const changedBy = (
  { changedClaims, changedIds }: TrackLookups,
  claims: PlanKnown['claims'],
  listed: PlanKnown['listed'],
): Set<string> => {
  const ids = new Set([...changedIds].filter((id) => listed.has(id)));
  for (const key of changedClaims) {
    const claim = claims.get(key);
    if (claim) ids.add(claim.profile);
  }
  return ids;
};

/** Whether the entry gives the person another email or phone than they have. */
const isMoving = ({ entry: { email, phone } }: Item<TrackEntry>, profile: Profile): boolean =>
  (email !== undefined && profile.email_key !== (email === null ? undefined : emailKey(email))) ||
  (phone !== undefined && profile.phone_key !== (phone ?? undefined));

/** Loads most of the contacts that the plan needs: those of people whose contact changes, and of people with a statement of consent. */
const contactsAsked = (
  { aboutContacts }: TrackLookups,
  claims: ReadonlyMap<string, IdentityClaim>,
  profiles: ReadonlyMap<string, Profile>,
): Set<string> => {
  const asked = new Set<string>();
  for (const item of aboutContacts) {
    const id = item.identifier.by === 'service_id' ? item.identifier.id : claims.get(item.key)?.profile;
    const profile = profiles.get(id ?? '');
    if (isStating(item)) for (const key of contactsIn(item)) asked.add(key);
    if (profile && (isStating(item) || isMoving(item, profile)))
      for (const key of currentContactKeysOf(profile)) asked.add(key);
  }
  return asked;
};

const tokensAsked = ({ tokens }: TrackLookups): string[] =>
  [...tokens].flatMap(([ws, keys]) => [...keys].map((key) => tokenIdentity(ws, key)));

/** An identifier without an owner, or with one younger than the request, may have a tombstone. */
const fatesAsked = (
  asked: TrackLookups,
  claims: ReadonlyMap<string, IdentityClaim>,
  listed: ReadonlyMap<string, Holder>,
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
  stores: StoresOfPeople,
  session: Session,
  requests: readonly TrackRequest[],
  budget: LoadBudget,
  deletions?: Deletions,
): Promise<PlanKnown> => {
  const asked = askedBy(requests, deletions);
  const claims = await stores.ownersOf([...asked.claims.keys()], session);
  const listed = await readListed(stores, session, asked);
  const ids = changedBy(asked, claims, listed);
  const { profiles, bytes, unloaded } = await readProfiles(stores.profiles, session, ids, {
    budget,
    names: () => namesIn(requests),
  });
  const fates = await stores.tombstones.fatesOf(fatesAsked(asked, claims, listed), session);
  const contacts = await stores.contactConsents.read(contactsAsked(asked, claims, profiles), { session });
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
  const missing = [...needs.profiles].filter((id) => !more.profiles.has(id) && !more.unloaded.has(id));
  const absorbedBy = (id: string): readonly string[] =>
    (known.listed.get(id) ?? known.profiles.get(id))?.absorbed ?? [];
  const activity = await readActivity(stores, session, needs.activity, absorbedBy);
  return {
    ...known,
    profiles: joined(known.profiles, more.profiles),
    bytes: joined(known.bytes, more.bytes),
    unloaded: new Set([...known.unloaded, ...more.unloaded]),
    absent: new Set([...known.absent, ...missing]),
    activity: joined(known.activity, activity),
    contacts: joined(known.contacts, await stores.contactConsents.read(needs.contacts, { session })),
    fates: joined(known.fates, await stores.tombstones.fatesOf(needs.fates, session)),
  };
};
