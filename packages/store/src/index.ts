export { addressClaim } from './address-claim.ts';
export { type Audit, type AuditEntry, type AuditRow, type AuditVerdict, createAudit } from './audit.ts';
export { classify, type ErrorClass, isConflict } from './classify.ts';
export type { Collection, Session } from './db.ts';
export type {
  AuditDocument,
  DashboardEmail,
  DashboardPermissions,
  DashboardSessionDocument,
  DashboardUserDocument,
  EventDocument,
  IdentityDocument,
  ProfileDocument,
  PurchaseDocument,
  RequestDocument,
} from './documents.ts';
export { compareIndexes, ensureIndexes, type Index, type IndexReport, indexes } from './indexes.ts';
export { openStore, type Store, type StoreOptions } from './open-store.ts';
export {
  outcomeOf,
  packAll,
  packResults,
  type Results,
  type StoredOutcome,
  unpackResults,
} from './outcome.ts';
export { defaultOutcomeDays, expiryOf, type FailedRequest, type Outcomes } from './outcomes.ts';
export type { Identifiable, Records } from './records.ts';
export { type CollectionName, schemas } from './schemas.ts';
export { createTransact, type Transact, type TransactOptions } from './transact.ts';
