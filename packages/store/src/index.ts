export { classify, isTooLarge, TransactionTooLong } from './connection/classify.ts';
export type { Session } from './connection/db.ts';
export { decimal, documentIn } from './connection/db.ts';
export { openStore, type Store, type StoresOfPeople } from './connection/open-store.ts';
export { clusterTimeOf, type Moment } from './connection/snapshot.ts';
export type { Transact } from './connection/transact.ts';
export { consentMembers, keepForLeavers } from './consent/leavers.ts';
export { changeOf } from './difference.ts';
export { holderMembers, isHeld, readHolders } from './identifiers/holders.ts';
export { dashboardClaim, idFrom } from './ids.ts';
export { erasedName, listedIn } from './messages/erasure.ts';
export { externalIdsOf, listedName, recipientName } from './messages/names.ts';
export { deliveriesOf, expiryAfter, haltDeliveries } from './messages/stop.ts';
export {
  countsSoFar,
  type ShownState,
  shownAs,
  shownCounts,
  shownReason,
  shownState,
} from './messages/stored.ts';
export type { ContentBlockDocument, ContentVersion, PreferenceCenterDocument } from './models/content.ts';
export {
  type DashboardEmail,
  type DashboardPermissions,
  type DashboardUserDocument,
  ownMembers,
  type Passkey,
} from './models/dashboard.ts';
export type { Index, IndexReport } from './models/indexes.ts';
export type {
  IntegrationDocument,
  SyncChunkDocument,
  SyncJobDocument,
  SyncKeptDocument,
  SyncRowDocument,
} from './models/integrations.ts';
export type {
  ActivityDocument,
  Channel,
  DeliveryDocument,
  Halted,
  ScheduleDocument,
  SendDocument,
} from './models/messages.ts';
export { collectionNames } from './models/models.ts';
export type {
  EventRow,
  GenerationDocument,
  OccurrenceKind,
  PurchaseRow,
  WithRequest,
} from './models/occurrences.ts';
export type { ContactDocument, IdentityDocument, SweepDocument } from './models/people.ts';
export type { AuditEntry, RequestDocument } from './models/requests.ts';
export { ensureValidators } from './models/validators.ts';
export { isWritten } from './occurrences/generations.ts';
export { keyOf } from './occurrences/key.ts';
export { joinSummaries, type Summary } from './occurrences/queries.ts';
export { kindIn, kinds } from './occurrences/steps.ts';
export type { RolledUp } from './occurrences/totals.ts';
export { isOverdue, type Overdue, overdueSentence, readOverdue } from './overdue.ts';
export { readActivity } from './profiles/activity.ts';
export type { AudienceLook } from './profiles/audience.ts';
export { type Breath, createBreath, eachOf, inStrides, takeEach } from './profiles/breath.ts';
export { createInPieces, type InPieces } from './profiles/in-pieces.ts';
export {
  createLoadBudget,
  type LoadBudget,
  type LoadLimits,
  loadLimits,
  noLoadLimits,
} from './profiles/load-budget.ts';
export { readMerged, type ServiceId } from './profiles/merged.ts';
export { type Element, elementsIn, memberOf, nameOf, packedIn, withOnly } from './profiles/packed.ts';
export { lightMembers, readProfiles } from './profiles/read-profiles.ts';
export type { AuditRow } from './requests/audit.ts';
export { createMarks, type Marks } from './requests/marks.ts';
export { expiryOf, markOf, outcomeOf, packAll, type StoredOutcome } from './requests/outcomes.ts';
export { namesOfKeys } from './settings/records.ts';
export {
  createLimitOf,
  createSettingsOf,
  defaultOutcomeDays,
  type SettingsOf,
  settingsOfAll,
} from './settings/settings-of.ts';
