export { mostElements } from './array-change.ts';
export { bytesOf, mostProfileBytes, usualProfileBytes } from './bytes.ts';
export { type Change, changesOf, type Entry } from './change.ts';
export {
  groupIn,
  groupKey,
  saidAfter,
  withSaid,
} from './consent.ts';
export { type ConsentChange, consentHistory, contactHistory } from './consent-history.ts';
export { type Consenting, type ContactConsents, statesOf } from './consent-states.ts';
export { contactKeysOf } from './contact-log.ts';
export { mostStepBytes, mostSteps } from './custom-attribute.ts';
export { type Decision, decide, type EntryKind, type Question } from './decide.ts';
export {
  type ExportedField,
  type ExportedFieldName,
  type ExportNeed,
  exportedFields,
  type OccurrenceSummary,
  type Seen,
} from './exported.ts';
export { type Fold, type Folded, fold, type Room, type Size } from './fold.ts';
export { emailKey, type Identified, type Identifier, identifierOf, identityKey } from './identifier.ts';
export {
  fateAt,
  type IdentityKnown,
  type IdentityNeeds,
  type OwnerClaim,
  type Sharer,
} from './identity/known.ts';
export {
  type IdentityOutcome,
  type IdentityPlan,
  type IdentityWrites,
  planIdentity,
} from './identity/plan.ts';
export { type Preference, prioritized } from './identity/prioritize.ts';
export {
  type Asked,
  askedBy,
  type IdentityEntry,
  type IdentityRequest,
  identityKeysIn,
  type Listed as ListedEntry,
  type Named,
} from './identity/request.ts';
export type { IdentityResult } from './identity/rules.ts';
export type { Reason, Sweep } from './identity/world.ts';
export { mostNestedBytes } from './json-bytes.ts';
export { mostItems, tokenKey } from './keyed-list.ts';
export { identifyProfiles, mergeProfiles } from './merge/merge-profiles.ts';
export { revenueOf, sumOf } from './money.ts';
export type { Note, NoteReason } from './note.ts';
export { type Places, placesIn, unread } from './places.ts';
export { boundedNotes, mostNotes } from './plan/bounded-notes.ts';
export type { ContactWrite } from './plan/contacts.ts';
export {
  type AttributeObject,
  type Item,
  type Origin,
  type Prepared,
  prepare,
  type Subject,
  type TrackBody,
  type TrackEntry,
  type TrackRequest,
  tokenIdentity,
} from './plan/item.ts';
export {
  type Addressed,
  addressKeysOf,
  type Claim,
  type Fate,
  type Known,
  type Listed,
  type Needs,
  nothingKnown,
  sharedKeysOf,
} from './plan/known.ts';
export type { Changed, Identity } from './plan/people.ts';
export { type Placed, type Plan, type PlanInput, type Planned, plan, planning } from './plan/plan.ts';
export { importedTokens } from './plan/push-tokens.ts';
export type { EntryNote, EntryResult, Result } from './plan/result.ts';
export {
  type Alias,
  type ArrayChange,
  type Consent,
  type ConsentState,
  type ContactChange,
  type CustomAttribute,
  type FieldName,
  fieldNames,
  isFieldName,
  isListName,
  type List,
  type ListItem,
  type ListName,
  listNames,
  newProfile,
  type ObjectsChange,
  type Profile,
  type Said,
  type Stamp,
  type Stamped,
  type Step,
  type Stepping,
  type Value,
} from './profile.ts';
export { type Candidate, lastUpdateOf, rankCandidates } from './rank-candidates.ts';
export type { AttributeSettings, Changes, Reading } from './reading.ts';
export { pushTokenKey } from './reading-lists.ts';
export { deviceIdOf, randomBucket, serviceIdOf } from './service-id.ts';
export {
  addressKeyOf,
  personKeyOf,
  planSubscriptions,
  type Statement,
  type SubscriptionOutcome,
  type SubscriptionPlan,
  type SubscriptionRequest,
} from './subscription/plan.ts';
export { type SubscriptionGroup, type VisibleProfile, visible } from './visible.ts';
export { memberWork, mostStepWork, mostWork } from './work.ts';
