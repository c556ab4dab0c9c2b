export { readActivity } from './activity.ts';
export type { RolledUp } from './addition.ts';
export type { AuditRow } from './audit-chain.ts';
export { type Breath, createBreath } from './breath.ts';
export { classify, isTooLarge } from './classify.ts';
export { consentMembers } from './consent-members.ts';
export { dashboardClaim } from './dashboard-claim.ts';
export type { Session } from './db.ts';
export { decimal } from './decimal.ts';
export { difference } from './difference.ts';
export type {
  AuditEntry,
  ContactDocument,
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
export type { HolderLookup } from './holder-lookup.ts';
export { readHolders } from './holders.ts';
export { idFrom } from './id-from.ts';
export { createInPieces, type InPieces } from './in-pieces.ts';
export { eachOf, inStrides, takeEach } from './in-strides.ts';
export type { Index } from './index-shape.ts';
export type { IndexReport } from './indexes.ts';
export type {
  IntegrationDocument,
  SyncChunkDocument,
  SyncJobDocument,
  SyncRowDocument,
} from './integrations/documents.ts';
export { namesOfKeys } from './key-names.ts';
export { keepForLeavers } from './leavers.ts';
export { createLoadBudget, type LoadBudget } from './load-budget.ts';
export { type LoadLimits, loadLimits, noLoadLimits } from './load-limits.ts';
export { createMarks, type Marks } from './marks.ts';
export { readMerged, type ServiceId } from './merged.ts';
export type {
  ActivityDocument,
  Channel,
  DeliveryDocument,
  ScheduleDocument,
  SendCounts,
  SendDocument,
} from './messages/documents.ts';
export type { RowsOf } from './occurrences/earlier/migration.ts';
export { keyOf } from './occurrences/key.ts';
export { kindIn, kinds } from './occurrences/name.ts';
export type { Events, Purchases } from './occurrences/occurrences.ts';
export { isWritten } from './occurrences/sources.ts';
export type { Summary } from './occurrences/summary.ts';
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
export { createSettingsOf, type SettingsOf, settingsOfAll } from './settings-of.ts';
export { clusterTimeOf, type Moment } from './snapshot.ts';
export type { Transact } from './transact.ts';
export { createLimitOf, defaultOutcomeDays } from './worker-settings.ts';
