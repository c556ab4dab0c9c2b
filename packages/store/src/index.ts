export { classify, isTooLarge } from './connection/classify.ts';
export type { Session } from './connection/db.ts';
export { decimal, documentIn } from './connection/db.ts';
export { openStore, type Store, type StoresOfPeople } from './connection/open-store.ts';
export { clusterTimeOf, type Moment } from './connection/snapshot.ts';
export type { Transact } from './connection/transact.ts';
export { consentMembers, keepForLeavers } from './consent/leavers.ts';
export { changeOf } from './difference.ts';
export { holderMembers, isHeld, readHolders } from './identifiers/holders.ts';
export { dashboardClaim, idFrom } from './ids.ts';
export type {
  IntegrationDocument,
  SyncChunkDocument,
  SyncJobDocument,
  SyncKeptDocument,
  SyncRowDocument,
} from './integrations/documents.ts';
export type {
  ActivityDocument,
  Channel,
  DeliveryDocument,
  Halted,
  ScheduleDocument,
  SendCounts,
  SendDocument,
} from './messages/documents.ts';
export { listedIn } from './messages/erasure.ts';
export { deliveriesOf, expiryAfter, haltDeliveries } from './messages/stop.ts';
export { isWritten } from './occurrences/generations.ts';
export { keyOf } from './occurrences/key.ts';
export { joinSummaries, type Summary } from './occurrences/queries.ts';
export { kindIn, kinds } from './occurrences/steps.ts';
export type { RolledUp } from './occurrences/totals.ts';
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
export type {
  AuditEntry,
  ContentBlockDocument,
  ContentVersion,
  DashboardEmail,
  DashboardPermissions,
  DashboardUserDocument,
  EventRow,
  GenerationDocument,
  IdentityDocument,
  OccurrenceKind,
  PreferenceCenterDocument,
  PurchaseRow,
  RequestDocument,
  SweepDocument,
  WithRequest,
} from './shapes/documents.ts';
export type { Index } from './shapes/index-shape.ts';
export type { IndexReport } from './shapes/indexes.ts';
export type { Described, Members } from './shapes/paths.ts';
export { type ContactDocument, recordNames, shapesByName } from './shapes/shapes.ts';
