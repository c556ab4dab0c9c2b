export { mostElements } from './array-change.ts';
export { bytesOf, mostProfileBytes, usualProfileBytes } from './bytes.ts';
export type { Change } from './change.ts';
export type { Claim, Identity } from './claim.ts';
export {
  groupIn,
  groupKey,
  saidAfter,
  withSaid,
} from './consent.ts';
export { type ConsentChange, consentHistory, contactHistory } from './consent-history.ts';
export { withKeptOf } from './consent-moves.ts';
export { statesOf } from './consent-states.ts';
export { contactKeysOf } from './contact-log.ts';
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
export {
  contactIn,
  currentContactKeysOf,
  formerContactKeysOf,
  type Holder,
  sharedKeysOf,
} from './holders.ts';
export {
  emailKey,
  type Identifier,
  identityKey,
  type KeyKind,
  keyParts,
  keysNamed,
  tokenIdentity,
} from './identifier.ts';
export type { IdentityKnown, IdentityNeeds } from './identity/known.ts';
export {
  type IdentityPlan,
  type IdentityWrites,
  planIdentity,
} from './identity/plan.ts';
export { type Preference, prioritized } from './identity/prioritize.ts';
export {
  askedBy,
  type IdentityEntry,
  type IdentityRequest,
  identityKeysIn,
  type ListedEntry,
  type Named,
} from './identity/request.ts';
export { tokenKey, withoutTokens } from './keyed-list.ts';
export { mergeProfiles } from './merge/merge-profiles.ts';
export { revenueOf, sumOf } from './money.ts';
export { namesIn } from './names.ts';
export { createPeopleInMemory, demoWorkspace, type PeopleInMemory } from './people-in-memory.ts';
export { unread } from './places.ts';
export { type Deletions, noDeletions } from './plan/awaits.ts';
export { boundedNotes, mostNotes } from './plan/bounded-notes.ts';
export {
  type Item,
  type Prepared,
  prepare,
  type TrackEntry,
} from './plan/item.ts';
export { type Known, type Needs, nothingKnown } from './plan/known.ts';
export { type Placed, type Planned, planning } from './plan/plan.ts';
export { importedTokens } from './plan/push-tokens.ts';
export type { EntryNote, EntryResult, Result } from './plan/result.ts';
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
export {
  contactKeyOf,
  personKeyOf,
  planSubscriptions,
  type Statement,
  type SubscriptionPlan,
  type SubscriptionRequest,
} from './subscription/plan.ts';
export { visible } from './visible.ts';
