export { readActivity } from './activity.ts';
export { addressClaim } from './address-claim.ts';
export { type Audit, type AuditEntry, type AuditRow, type AuditVerdict, createAudit } from './audit.ts';
export { type Breath, createBreath, eachOf, inStrides } from './breath.ts';
export { classify, type ErrorClass, isConflict, isTooLarge } from './classify.ts';
export type { ConsentHistory } from './consents.ts';
export type { ContactConsentsStore } from './contacts.ts';
export type { Collection, Session } from './db.ts';
export { type Decimal, decimal } from './decimal.ts';
export { type Difference, difference } from './difference.ts';
export type {
  AuditDocument,
  ConsentDocument,
  ContactDocument,
  DashboardEmail,
  DashboardPermissions,
  DashboardSessionDocument,
  DashboardUserDocument,
  EventDocument,
  IdentityDocument,
  ProfileDocument,
  PurchaseDocument,
  RequestDocument,
  SweepDocument,
  TombstoneDocument,
  TotalDocument,
} from './documents.ts';
export { createInPieces, type InPieces, type InPiecesOptions } from './in-pieces.ts';
export { compareIndexes, ensureIndexes, type Index, type IndexReport, indexes } from './indexes.ts';
export {
  createLoadBudget,
  type LoadBudget,
  type LoadLimits,
  loadLimits,
  noLoadLimits,
  TooMuchToLoad,
} from './load-budget.ts';
export { createMarks, type Marks, type MarksFound } from './marks.ts';
export { readMerged, type ServiceId } from './merged.ts';
export { openStore, type Store, type StoreOptions } from './open-store.ts';
export {
  outcomeOf,
  packAll,
  packResults,
  type Results,
  type StoredOutcome,
  unpackResults,
} from './outcome.ts';
export { expiryOf, type FailedRequest, type Outcomes } from './outcomes.ts';
export type { Owner } from './owners.ts';
export { type Element, elementsIn, memberOf, nameOf, packedIn, withOnly } from './packed.ts';
export { documentIn } from './raw.ts';
export { type ReadOptions, type ReadProfiles, readProfiles } from './read-profiles.ts';
export type { Identifiable, Records } from './records.ts';
export { type CollectionName, schemas } from './schemas.ts';
export {
  createLimitOf,
  createOutcomeDaysOf,
  createSettingsOf,
  defaultOutcomeDays,
  type SettingsOf,
  settingsOfAll,
} from './settings-of.ts';
export { readSharers, type Shared } from './sharers.ts';
export { clusterTimeOf, type Moment, type Snapshot } from './snapshot.ts';
export { type Burial, type Fate, fateAt, type Tombstone, type Tombstones } from './tombstones.ts';
export { type RolledUp, type Totals, totalId } from './totals.ts';
export { createTransact, type Transact, type TransactOptions } from './transact.ts';
