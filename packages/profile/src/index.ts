export { personAtKey, startOf } from './activity.ts';
export { mostElements } from './array-change.ts';
export { bytesOf, mostProfileBytes, usualProfileBytes } from './bytes.ts';
export type { Change } from './change.ts';
export type { Claim, Identity } from './claim.ts';
export { saidAfter } from './consent.ts';
export { type ConsentChange, consentHistory, contactHistory } from './consent-history.ts';
export { groupIn, groupKey } from './consent-keys.ts';
export { withKeptOf } from './consent-moves.ts';
export { withSaid } from './consent-statements.ts';
export { statesOf } from './consent-states.ts';
export { contactKeysOf } from './contact-periods.ts';
export type { ContactWrite } from './contacts.ts';
export { type EntryKind, entryKinds } from './decide.ts';
export type { Changed } from './drafts.ts';
export {
  type ExportedField,
  type ExportedFieldName,
  type ExportNeed,
  exportedFields,
  type Seen,
} from './exported.ts';
export { type Ending, type Fate, fateAt, fateIn, withEnding } from './fate.ts';
export { type Fold, fold } from './fold.ts';
export { contactIn } from './has-contact.ts';
export { currentContactKeysOf, formerContactKeysOf, type Holder, sharedKeysOf } from './holder-keys.ts';
export type { Identifier } from './identifier.ts';
export { askedBy } from './identity/asked-by.ts';
export { identityKeysIn } from './identity/identifiers-named.ts';
export type { IdentityKnown, IdentityNeeds } from './identity/known.ts';
export {
  type IdentityPlan,
  type IdentityWrites,
  planIdentity,
} from './identity/plan.ts';
export { type Preference, prioritized } from './identity/prioritize.ts';
export type { IdentityEntry, IdentityRequest, ListedEntry, Named } from './identity/request.ts';
export { emailKey, identityKey, type KeyKind, keyParts, keysNamed, tokenIdentity } from './identity-key.ts';
export { tokenKey, withoutTokens } from './list-keys.ts';
export { mergeProfiles } from './merge/merge-profiles.ts';
export { revenueOf, sumOf } from './money.ts';
export { namesIn, namesOf } from './names.ts';
export { createPeopleInMemory, demoWorkspace, type PeopleInMemory } from './people-in-memory.ts';
export { unread } from './places.ts';
export { type Deletions, noDeletions } from './plan/awaits.ts';
export { boundedNotes, mostNotes } from './plan/bounded-notes.ts';
export type { Item, Prepared } from './plan/item.ts';
export { type Known, type Needs, nothingKnown } from './plan/known.ts';
export { type Placed, type Planned, planning } from './plan/plan.ts';
export { prepare } from './plan/prepare.ts';
export { importedTokens } from './plan/push-tokens.ts';
export type { EntryNote, EntryResult, Result } from './plan/result.ts';
export type { TrackEntry } from './plan/track-request.ts';
export {
  type Consent,
  type ConsentState,
  type CustomAttribute,
  fieldNames,
  isListName,
  type List,
  type ListItem,
  listNames,
  newProfile,
  type Profile,
  type Said,
  type Stamp,
  type Stamped,
  type Step,
  storedBytes,
  type Value,
} from './profile.ts';
export type { AttributeSettings, Reading } from './reading.ts';
export { randomBucket, textHash } from './service-id.ts';
export { planSubscriptions, type SubscriptionPlan } from './subscription/plan.ts';
export {
  contactKeyOf,
  personKeyOf,
  type Statement,
  type SubscriptionRequest,
} from './subscription/statement.ts';
export { visible } from './visible.ts';
