/** The contacts that the entries of a batch are about. */
import {
  type Claim,
  currentContactKeysOf,
  emailKey,
  type Item,
  type Known,
  type Profile,
  type TrackEntry,
} from '@roster/profile';
import type { Asked } from './asked.ts';
import { contactsIn, isStating } from './contacts-in.ts';

/** Without people found by email or phone: only the plan can choose between them. */
export const changedBy = (
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

/** Whether the entry gives the person another email or phone than they have. */
const isMoving = ({ entry: { email, phone } }: Item<TrackEntry>, profile: Profile): boolean =>
  (email !== undefined && profile.email_key !== (email === null ? undefined : emailKey(email))) ||
  (phone !== undefined && profile.phone_key !== (phone ?? undefined));

/** Most of the contacts that the plan needs: those of people who change them or have a statement of consent. */
export const contactsAsked = (
  { aboutContacts }: Asked,
  claims: ReadonlyMap<string, Claim>,
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
