export {
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiResponse,
  openapi,
} from './document/openapi.ts';
export { type EntryErrorCode, entryErrors, isEntryErrorCode } from './entry-errors.ts';
export { country, isCountry } from './formats/country.ts';
export { isCurrency } from './formats/currency.ts';
export { isEmail, normalizeEmail } from './formats/email.ts';
export { nameFault } from './formats/name.ts';
export { normalizePhone } from './formats/phone.ts';
export { isDate, parseTime } from './formats/time.ts';
export { isTimeZone, timeZone } from './formats/time-zone.ts';
export { type AnswerCheck, createAnswerCheck } from './judge/answers.ts';
export { type Accepted, createJudge, type Judge, type JudgeInput, type Verdict } from './judge/judge.ts';
export {
  type Auth,
  type Dialect,
  type EntryFault,
  type EntryKind,
  type EntryRule,
  type Example,
  type JsonObject,
  type JudgeSettings,
  type Method,
  type OperationOf,
  operation,
  type QueueName,
} from './operation.ts';
export { type Operation, type OperationId, operationById, operations } from './operations/index.ts';
export type { RequestReport } from './operations/requests.ts';
export { scimSchemas } from './operations/scim/index.ts';
export {
  type ExportAnswer,
  type ExportedUser,
  type ExportRequest,
  exportableFields,
} from './operations/users.ts';
export { type EntryReport, type OutcomeReport, outcomeReport } from './outcome-report.ts';
export { isPermission, type Permission, permissions } from './permissions.ts';
export {
  type EntryError,
  isRejection,
  isRejectionCode,
  Rejection,
  type RejectionCode,
  type RejectionOptions,
  rejectionBody,
  rejections,
  rejectionWithRetry,
  type ScimError,
  scimErrorBody,
} from './rejections.ts';
export type {
  AcceptedRequest,
  AttributeEntry,
  EntryResult,
  EventEntry,
  Identifiers,
  Json,
  Outcome,
  OutcomeNote,
  PurchaseEntry,
  TrackAccepted,
  UserAlias,
} from './types.ts';
export { isJsonObject } from './types.ts';
