export { bytesOf, mostProfileBytes, usualProfileBytes } from './bytes.ts';
export { groupIn, groupKey, saidAfter, saidIn, withSaid } from './consent/consent.ts';
export {
  type ConsentChange,
  consentHistory,
  contactHistory,
  newestFirst,
} from './consent/consent-history.ts';
export { withKeptOf } from './consent/consent-moves.ts';
export { statesOf } from './consent/consent-states.ts';
export { contactKey, contactKeysOf, contactValueAt } from './consent/contact-log.ts';
export type { ContactWrite } from './consent/contacts.ts';
export {
  aliasKey,
  externalKey,
  type Identity,
  type IdentityClaim,
  isClaimed,
  ownersIn,
} from './find/claim.ts';
export { type EntryKind, entryKinds } from './find/decide.ts';
export { type Fate, fateAt, fateIn, type NewFate, withEnding } from './find/fate.ts';
export {
  contactIn,
  currentContactKeysOf,
  formerContactKeysOf,
  type Holder,
  lookupsOf,
  sharedKeysOf,
} from './find/holders.ts';
export {
  emailKey,
  type Identifier,
  identifierOf,
  identityKey,
  type KeyKind,
  keyParts,
  keysNamed,
  type NamedByEntry,
  nameIn,
  tokenIdentity,
} from './find/identifier.ts';
export { namesIn } from './find/names.ts';
export { type Preference, prioritized } from './find/prioritize.ts';
export { randomBucket, textHash } from './find/service-id.ts';
export { mostElements } from './fold/array-change.ts';
export type { ChangedProfile } from './fold/drafts.ts';
export { type Fold, fold } from './fold/fold.ts';
export { tokenKey, withoutTokens } from './fold/keyed-list.ts';
export { unread } from './fold/places.ts';
export { addTo, grouped } from './grouped.ts';
export type { IdentityKnown, IdentityNeeds } from './identity/known.ts';
export { type IdentityPlan, type IdentityWrites, planIdentity } from './identity/plan.ts';
export {
  askedBy,
  type IdentityEntry,
  type IdentityRequest,
  identityKeysIn,
  type ListedEntry,
  type NamedPerson,
} from './identity/request.ts';
export { mergeProfiles } from './merge/merge-profiles.ts';
export { revenueOf, sumOf } from './money.ts';
export { contactsIn, type Deletions, noDeletions } from './plan/awaits.ts';
export {
  type Item,
  keysOfSubject,
  type PreparedRequest,
  prepare,
  subjectOf,
  type TrackEntry,
} from './plan/item.ts';
export { type Needs, nothingKnown, type PlanKnown } from './plan/known.ts';
export { type Placed, type Planned, planning } from './plan/plan.ts';
export type { EntryNote, EntryResult, EntryResults } from './plan/result.ts';
export { boundedNotes, mostNotes } from './plan/result.ts';
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
  type Stamp,
  storedBytes,
  type Value,
} from './profile.ts';
export type { ProfileChange } from './reading/change.ts';
export type { AttributeSettings, Reading } from './reading/reading.ts';
export {
  type ExportedField,
  type ExportedFieldName,
  type ExportNeed,
  exportedFields,
  type OccurrenceSummary,
  type Seen,
  shownAttributes,
} from './show/exported.ts';
export {
  isOfPerson,
  type NamedStatement,
  planSubscriptions,
  type SubscriptionPlan,
  type SubscriptionRequest,
  statementKey,
} from './subscription/plan.ts';
