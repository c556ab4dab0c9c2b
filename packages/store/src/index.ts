export { readActivity } from './activity.ts';
export type { AudienceLook } from './audience.ts';
export type { AuditRow } from './audit.ts';
export { type Breath, createBreath, eachOf, inStrides, takeEach } from './breath.ts';
export { classify, isTooLarge } from './classify.ts';
export { consentMembers } from './consent-members.ts';
export { dashboardClaim } from './dashboard-claim.ts';
export type { Session } from './db.ts';
export { decimal } from './decimal.ts';
export { difference } from './difference.ts';
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
  Kind,
  PreferenceCenterDocument,
  PurchaseRow,
  RequestDocument,
  Sent,
  SweepDocument,
} from './documents.ts';
export { type HolderLookup, readHolders } from './holders.ts';
export { idFrom } from './id-from.ts';
export { createInPieces, type InPieces } from './in-pieces.ts';
export type { Index } from './index-shape.ts';
export type { IndexReport } from './indexes.ts';
export type {
  IntegrationDocument,
  SyncChunkDocument,
  SyncJobDocument,
  SyncKeptDocument,
  SyncRowDocument,
} from './integrations/documents.ts';
export { namesOfKeys } from './key-names.ts';
export { keepForLeavers } from './leavers.ts';
export {
  createLoadBudget,
  type LoadBudget,
  type LoadLimits,
  loadLimits,
  noLoadLimits,
} from './load-budget.ts';
export { createMarks, type Marks } from './marks.ts';
export { readMerged, type ServiceId } from './merged.ts';
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
export { kindIn, kinds } from './occurrences/name.ts';
export type { Events, Purchases } from './occurrences/occurrences.ts';
export type { Summary } from './occurrences/queries.ts';
export { openStore, type Store, type StoresOfPeople } from './open-store.ts';
export {
  outcomeOf,
  packAll,
  type StoredOutcome,
} from './outcome.ts';
export { expiryOf } from './outcomes.ts';
export { type Element, elementsIn, memberOf, nameOf, packedIn, withOnly } from './packed.ts';
export { documentIn } from './raw.ts';
export { readProfiles } from './read-profiles.ts';
export { isDescribed, modelsOn } from './schemas.ts';
export {
  createLimitOf,
  createSettingsOf,
  defaultOutcomeDays,
  type SettingsOf,
  settingsOfAll,
} from './settings-of.ts';
export type { ContactDocument } from './shapes.ts';
export { clusterTimeOf, type Moment } from './snapshot.ts';
export type { RolledUp } from './totals.ts';
export type { Transact } from './transact.ts';
