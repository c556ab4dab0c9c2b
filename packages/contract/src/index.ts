export type { AcceptedRequest } from './accepted-request.ts';
export {
  type BodyShape,
  bodyShapeFault,
  deepestBody,
  mostParsed,
  mostShaped,
  shortText,
} from './body-shape.ts';
export { deadLetterCodes } from './dead-letters.ts';
export {
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiResponse,
  openapi,
} from './document/openapi.ts';
export { aliasMembers } from './entries/identifiers.ts';
export { eventMembers, purchaseMembers } from './entries/occurrences.ts';
export { type EntryErrorCode, entryErrors, isEntryErrorCode } from './entry-errors.ts';
export { country } from './formats/country.ts';
export { isCurrency } from './formats/currency.ts';
export { isEmail } from './formats/email.ts';
export {
  holdsLong,
  longDigits,
  packExact,
  parseExact,
  stringifyExact,
  unpackExact,
} from './formats/exact-json.ts';
export { languageOf } from './formats/language.ts';
export { nameFault } from './formats/name.ts';
export { normalizePhone } from './formats/phone.ts';
export { isDate, isoTime, parseTime } from './formats/time.ts';
export { timeZone } from './formats/time-zone.ts';
export { type AnswerCheck, createAnswerCheck } from './judge/answers.ts';
export { type Accepted, createJudge, type Judge, type JudgeInput, type Verdict } from './judge/judge.ts';
export { readQuery } from './judge/query.ts';
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
export {
  type ExportAnswer,
  type ExportedUser,
  type ExportRequest,
  exportableFields,
} from './operations/export.ts';
export type { AliasUpdate, NewAlias } from './operations/identity-alias.ts';
export type { EmailToDelete, PhoneToDelete } from './operations/identity-delete.ts';
export type { Preference } from './operations/identity-entries.ts';
export type { RemoveAnswer, Rename, RenameAnswer } from './operations/identity-external-ids.ts';
export type { AliasToIdentify, EmailToIdentify, PhoneToIdentify } from './operations/identity-identify.ts';
export type { MergeIdentifier, MergeUpdate } from './operations/identity-merge.ts';
export { type Operation, type OperationId, operationById, operations } from './operations/index.ts';
export type { RequestReport } from './operations/requests.ts';
export { scimSchemas } from './operations/scim/index.ts';
export { isE164 } from './operations/subscription.ts';
export {
  type HistoryAnswer,
  type HistoryQuery,
  mostHistory,
  subscriptionHistory,
} from './operations/subscription-history.ts';
export {
  type GroupsQuery,
  mostUsers,
  type StatusQuery,
} from './operations/subscription-reads.ts';
export type { SubscriptionSet, SubscriptionSetGroup } from './operations/subscription-set.ts';
export type { TrackSyncAnswer } from './operations/track-sync.ts';
export { type EntryReport, type OutcomeReport, outcomeReport } from './outcome-report.ts';
export { isPermission, type Permission, permissions } from './permissions.ts';
export { pointsOfLoaded, priceOf, priceOfReading, type Workload, work } from './price.ts';
export {
  type EntryError,
  isRejection,
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
  AttributeEntry,
  EntryResult,
  EventEntry,
  Identifiers,
  Json,
  Outcome,
  OutcomeNote,
  PurchaseEntry,
  Query,
  TrackAccepted,
  UserAlias,
} from './types.ts';
export { isJsonObject } from './types.ts';
