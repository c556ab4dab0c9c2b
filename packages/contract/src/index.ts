export type { AcceptedRequest } from './accepted-request.ts';
export { attributeMembers } from './entries/attribute-schema.ts';
export { aliasMembers } from './entries/identifiers.ts';
export { type EventEntry, eventMembers, type PurchaseEntry, purchaseMembers } from './entries/occurrences.ts';
export { fingerprint } from './fingerprint.ts';
export {
  type BodyShape,
  bodyShapeFault,
  deepestBody,
  deepestEntry,
  isDeeperThan,
  parsing,
  parsingLimit,
  shortText,
} from './formats/body-shape.ts';
export { country } from './formats/country.ts';
export { isCurrency } from './formats/currency.ts';
export { distance, nearest } from './formats/distance.ts';
export { isEmail } from './formats/email.ts';
export {
  asDoubles,
  holdsLong,
  narrowed,
  packExact,
  parseExact,
  placeBeyond64,
  stringifyExact,
  unpackExact,
} from './formats/exact-json.ts';
export { placeOfJsonFault } from './formats/json-place.ts';
export { languageOf } from './formats/language.ts';
export { isLiquid } from './formats/liquid.ts';
export {
  addressIn,
  addressRule,
  liftAddressRules,
  type Mailbox,
  mailboxIn,
  mailboxRule,
} from './formats/mailbox.ts';
export { nameFault } from './formats/name.ts';
export { normalizePhone } from './formats/phone.ts';
export { mapSame, present } from './formats/present.ts';
export { remember } from './formats/remember.ts';
export { scan } from './formats/scan.ts';
export { createTally } from './formats/tally.ts';
export { isLongerThan, isLongerThanBytes, isShorterThan } from './formats/text.ts';
export { isDate, isoTime, parseTime } from './formats/time.ts';
export { timeZone } from './formats/time-zone.ts';
export { typoIn } from './formats/typo.ts';
export { withoutSecrets } from './formats/without-secrets.ts';
export { isKnown, needsOf } from './level.ts';
export { createLine } from './line.ts';
export { lineOf } from './line-of.ts';
export type {
  EntryFault,
  EntryKind,
  Example,
  JsonObject,
  JudgeSettings,
  MoreLimit,
  OperationOf,
  QueueFamily,
} from './operation.ts';
export { type ExportedUser, exportableFields } from './operations/export/exported-user.ts';
export type { ExportAnswer, ExportRequest } from './operations/export/ids.ts';
export type { RequestReport } from './operations/export/requests.ts';
export type { AliasUpdate, NewAlias } from './operations/identity/alias.ts';
export type { RemoveAnswer, Rename, RenameAnswer } from './operations/identity/external-ids.ts';
export type { MergeIdentifier, MergeUpdate } from './operations/identity/merge.ts';
export {
  type ListsOf,
  type Operation,
  type OperationId,
  type OperationRow,
  type OperationsOf,
  operationById,
  operationOf,
  operations,
} from './operations/index.ts';
export {
  type ChangedIntegration,
  type DataKind,
  type IntegrationSettings,
  type NewIntegration,
  type RowIdentifier,
  type SyncSchedule,
  settingsIn,
} from './operations/integrations/members.ts';
export type { ActivityStart } from './operations/live-activities.ts';
export { noReply } from './operations/messages/channels.ts';
export { emailHeaderFault } from './operations/messages/email-headers.ts';
export { type Messages, sentChannels } from './operations/messages/messages.ts';
export { type Recipients, recipientsIn } from './operations/messages/recipients.ts';
export type { NewSchedule, NewSending } from './operations/messages/schedules.ts';
export { badTime, localTimeIn, momentsOf, type Schedule } from './operations/messages/time.ts';
export { defaultCenterId } from './operations/preference-centers/members.ts';
export { scimSchemas } from './operations/scim/common.ts';
export { isE164 } from './operations/subscription/common.ts';
export { type HistoryAnswer, mostHistory } from './operations/subscription/history.ts';
export { mostUsers } from './operations/subscription/reads.ts';
export {
  pageActions,
  phoneActions,
  type SubscriptionSet,
  type SubscriptionSetGroup,
} from './operations/subscription/set.ts';
export type { TrackSyncAnswer } from './operations/track/sync.ts';
export type { TrackAccepted } from './operations/track/track.ts';
export { type EntryResult, type Outcome, type OutcomeNote, outcomeReport } from './outcome-report.ts';
export { erased, type PeoplePlace, peopleNamed, placesNamed } from './people-named.ts';
export { isPermission, type Permission, permissions } from './permissions.ts';
export { createPlaces, type Leave } from './places.ts';
export {
  audienceWork,
  microsecondsOfPoint,
  pointsOfLoaded,
  pointsOfPerson,
  pointsOfTemplates,
  pointsOfVisits,
  work,
} from './points.ts';
export { createPublisher, type PlainSchema, type Publisher } from './publish.ts';
export { deadLetterCodes } from './rejections/dead-letters.ts';
export { type EntryErrorCode, entryErrors, isEntryErrorCode } from './rejections/entry-errors.ts';
export { errorBodyIn, errorHeadersOf, retryHeader } from './rejections/error-bodies.ts';
export { type Dialect, type EntryError, errorShapes } from './rejections/error-shapes.ts';
export {
  bodyMustBeAnObject,
  isRejection,
  isRejectionCode,
  Rejection,
  type RejectionCode,
  refusal,
  rejectionBody,
  rejections,
  rejectionWithRetry,
  scimErrorBody,
} from './rejections/rejections.ts';
export { rejectionsOf } from './rejections/rejections-of.ts';
export {
  aboutReason,
  publicReason,
  type SendReason,
  type SendReasonCode,
  sendReason,
  sendReasons,
} from './rejections/send-reasons.ts';
export { type Route, routeOf } from './route.ts';
export type { AnswerOf, BodyFor, BodyOf, CodesOf, ParamsOf, QueryFor, QueryOf } from './row-types.ts';
/** @public The types of the client are made with the names. */
export { publishedKeyword, shapeName } from './shape.ts';
export {
  type AttributeEntry,
  isJsonObject,
  type Json,
  listAt,
  type Query,
  type UserAlias,
} from './types.ts';
export { version } from './version.ts';
export { withinTime } from './within-time.ts';
