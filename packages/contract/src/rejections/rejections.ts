/** Every way in which a whole request can fail: one catalogue, from which the answers and docs/errors.md are made. */
import { centerRejections } from './center-rejections.ts';
import { contentRejections } from './content-rejections.ts';
import type { EntryError, ScimError, TemplateFault } from './error-shapes.ts';
import { integrationRejections } from './integration-rejections.ts';
import { messageRejections } from './message-rejections.ts';
import { type RejectionEntry, refused, rejected } from './rejection-entry.ts';

export const rejections = {
  BODY_NOT_JSON: refused(
    'Error while parsing request body. Please check your syntax.',
    'The body is not valid JSON or not valid UTF-8. The message tells line and column, where they are known.',
    'Send one JSON object, encoded as UTF-8.',
    'invalidSyntax',
  ),
  BODY_TOO_DEEP: refused(
    'The body is nested too deeply',
    'Objects and arrays stand more than 1,000 levels inside each other; 50 levels where the operation has no entries. (An entry that is deeper than 50 levels is refused by itself: `ENTRY_TOO_DEEP`.)',
    'Send a flatter body.',
    'invalidSyntax',
  ),
  BODY_TOO_COMPLEX: refused(
    'The body would be too much work to parse',
    'For its size, the body contains too many objects with different member names, distinct short texts, objects, arrays or values. The message names the largest part and the limit; the section Limits of the reference says how it is counted.',
    'Spread the entries over several requests.',
    'invalidSyntax',
  ),
  BODY_INVALID: refused(
    'The request body does not have the documented shape.',
    'A member of the body is missing or of the wrong type. The message names it.',
    'Compare the body with the schema of the operation.',
    'invalidValue',
  ),
  PARAMETER_INVALID: refused(
    'A parameter of the address does not have the documented shape.',
    'A path or query parameter is missing or malformed. The message names it.',
    'Compare path and query with the parameters of the operation.',
    'invalidValue',
  ),
  HEADER_INVALID: refused(
    'A header of the request does not have the documented shape.',
    'An Idempotency-Key that is empty, too long or not printable ASCII. The message names it.',
    'Use 1 to 255 printable ASCII characters, a UUID for example.',
  ),
  NO_VALID_DATA: refused(
    "Valid data must be provided in the 'attributes', 'events', or 'purchases' fields.",
    'No entry was sent, or every entry was refused; `errors` then names the cause of each.',
    'Send `attributes`, `events` or `purchases`, and correct the entries named in `errors`.',
  ),
  TOO_MANY_ENTRIES: refused(
    'Max Input Length Exceeded',
    'More entries than the workspace allows in one request (50 unless configured; 1,000 on `/users/track/bulk`).',
    'Spread the entries over several requests.',
  ),
  TOO_MANY_ENTRIES_OF_ONE_USER: refused(
    'A single request may not contain more than 100 objects for one user.',
    'More than 100 entries of a bulk request name the same identifier.',
    'Spread the entries of this person over several requests.',
  ),
  NOT_ONE_ENTRY: refused(
    "Exactly one object must be provided in 'attributes', 'events', or 'purchases'.",
    'More than one entry was sent to `/users/track/sync`.',
    'Send one request for each entry, or use `/users/track`.',
  ),
  TOO_MANY_IDENTIFIERS: refused(
    'The max number of external_ids and aliases per request was exceeded',
    'More than 50 `external_ids` and `user_aliases` together.',
    'Ask for at most 50 at a time.',
  ),
  IDENTIFIERS_CONFLICT: refused(
    "Only one of 'device_id', 'email_address', 'phone' or 'service_id' may be sent in one request",
    'More than one of the identifiers of which a request may hold one.',
    'Send one request for each.',
  ),
  FIELD_NOT_EXPORTABLE: refused(
    "'fields_to_export' holds a name that is not a field of the exported user",
    'The message names the first unknown field.',
    'Use the field names of the exported user object.',
  ),
  EXPORT_TOO_LARGE: rejected(413)(
    'The profiles are too large for one answer: ask for fewer people or fewer fields',
    'The profiles together have more than 8 MB, are more than 2,500, or have more than 20,000 names of events and products. One person alone always has an answer.',
    'Ask for fewer people or fewer fields.',
  ),
  MERGE_UPDATES_NOT_AN_ARRAY: refused(
    "'merge_updates' must be an array of objects",
    '`merge_updates` is missing, is no array, or holds something that is no object.',
    'Send an array of objects.',
  ),
  TOO_MANY_MERGE_UPDATES: refused(
    'a single request may not contain more than 50 merge updates',
    'More than 50 elements in `merge_updates`.',
    'Spread them over several requests.',
  ),
  MERGE_UPDATE_NOT_A_PAIR: refused(
    "'merge_updates' must only have 'identifier_to_merge' and 'identifier_to_keep'",
    'An element of `merge_updates` lacks one of the two, or has another member.',
    'Send exactly these two; `prioritization` stands inside of them.',
  ),
  MERGE_IDENTIFIERS_INVALID: refused(
    "identifiers must be objects with an 'external_id' property that is a string, 'user_alias' property that is an object, or 'email' property that is a string",
    'One of the two does not name a person in one of these ways, or by `phone`.',
    'Name each person in one way.',
  ),
  NOTHING_TO_IDENTIFY: refused(
    "One of 'aliases_to_identify', 'emails_to_identify' or 'phone_numbers_to_identify' is required",
    'None of the three lists was sent.',
    'Send at least one of them.',
  ),
  TOO_MANY_IDS_TO_DELETE: refused(
    'The max number of ids per request was exceeded',
    'More than 50 ids.',
    'Spread them over several requests.',
  ),
  DELETE_KINDS_CONFLICT: refused(
    "Only one of 'external_ids', 'user_aliases', 'service_ids', 'email_addresses' or 'phone_numbers' may be sent in one request",
    'More than one kind of id.',
    'Send one request for each.',
  ),
  NOTHING_TO_DELETE: refused(
    "One of 'external_ids', 'user_aliases', 'service_ids', 'email_addresses' or 'phone_numbers' is required",
    'No list of ids was sent.',
    'Send one of them.',
  ),
  LIST_EMPTY: refused(
    'A list of the body must not be empty',
    'The list has no elements. The message names it.',
    'Send at least one element.',
  ),
  SUBSCRIPTION_GROUP_UNKNOWN: refused(
    'Invalid subscription group ID',
    'The workspace has no subscription group with this id.',
    'Use the id of a group of the workspace; groups are made in its settings.',
  ),
  EXTERNAL_IDS_INVALID: refused(
    'The value provided for the external_ids field is not a valid ID array.',
    'Something in the list is null, blank, or no id.',
    'Send a list of external ids.',
  ),
  EMAIL_AND_PHONE: refused(
    'Either an email address or a phone number should be provided, but not both.',
    'Emails and phones in one object, or in one query.',
    'Send emails and phones in objects of their own.',
  ),
  NOBODY_NAMED: refused(
    "One of 'external_id', 'email' or 'phone' is required",
    'The request names no person, neither by external id nor by email or phone. The message lists the members that may be sent.',
    'Name at least one person.',
  ),
  TOO_MANY_NAMES: refused(
    'A single request may not name more than 50 external ids, emails or phones',
    'More than 50 names in one list.',
    'Spread the names over several requests.',
  ),
  TOO_MANY_SUBSCRIPTION_GROUPS: refused(
    "'subscription_groups' must not hold more than 50 elements",
    'More than 50 objects in `subscription_groups`.',
    'Spread the objects over several requests.',
  ),
  CHANNEL_MISMATCH: refused(
    "An SMS subscription group takes 'external_id' or 'phone'",
    'An email for an SMS group, or a phone for an email group. The message says what the group takes.',
    'Send what belongs to the channel of the group.',
  ),
  EMAIL_INVALID: refused(
    'An email is not a valid email address',
    'The message names the place.',
    'Send addresses that mail can be sent to.',
  ),
  PHONE_NOT_E164: refused(
    'A phone is not in the E.164 format',
    'A phone number without `+` and country code, or one that can not exist. The message names the place.',
    'Send numbers like `+15005550006`.',
  ),
  NOT_ONE_IDENTIFIER: refused(
    "Exactly one of 'external_id', 'alias_label' with 'alias_name', 'email', 'phone' or 'service_id' is required",
    'No identifier, half an alias, or more than one.',
    'Name one person in one way.',
  ),
  CURSOR_INVALID: refused(
    'Invalid cursor',
    'The cursor is not one that an answer gave.',
    'Use `next_cursor` as it came, or begin without a cursor.',
  ),
  PERSON_UNKNOWN: rejected(404)(
    'Nothing is known under this identifier',
    'No person has the identifier, and no statement about it is kept.',
    'Check the identifier.',
  ),
  ...contentRejections,
  ...centerRejections,
  ...messageRejections,
  ...integrationRejections,
  SCIM_SYNTAX_INVALID: refused(
    'Request is unparsable, syntactically incorrect, or violates schema.',
    'The body is no SCIM message of the kind that the operation takes. The message may name the place.',
    'Send the message that RFC 7644 describes, with its `schemas`.',
    'invalidSyntax',
  ),
  SCIM_FILTER_INVALID: refused(
    'Request is unparsable, syntactically incorrect, or violates schema.',
    '`filter` or `sortBy` does not follow the grammar, or names an attribute that users do not have.',
    'Use the operators of RFC 7644 3.4.2.2 and the attributes that `/scim/v2/Schemas` lists.',
    'invalidFilter',
  ),
  SCIM_VALUE_INVALID: refused(
    'A value is missing or does not fit its attribute.',
    'A required attribute is missing, a value has the wrong type, or a name (department, permission, role, workspace, team, permission set) is not known. The message names it.',
    'Compare the value with `/scim/v2/Schemas`, which lists the known names.',
    'invalidValue',
  ),
  SCIM_TOO_MANY_OPERATIONS: rejected(413)(
    'A PATCH must not have more than 200 operations',
    'More than 200 operations; each member of a value without a path counts as one.',
    'Spread the operations over several requests, or replace the user.',
  ),
  SCIM_USER_TOO_LARGE: rejected(413)(
    'A user must not be larger than 256 KB',
    'The user would have more than 256 KB as it is shown. A larger one can only become smaller.',
    'Give the user fewer values; permission sets and roles need less room than single permissions.',
  ),
  SCIM_TOO_MUCH_WORK: refused(
    'This request costs too much: it looks at too many values.',
    'A filter or a sort over more users than can be looked at in one request, or a PATCH that goes through long lists again and again.',
    'Ask for `userName`, `externalId` or `emails.value` by `eq`, which are looked up; leave out `filter` and `sortBy` to read page by page; send fewer operations.',
    'tooMany',
  ),
  SCIM_PATH_INVALID: refused(
    'The path of an operation is not an attribute of users.',
    'A `path` in a PATCH is malformed or names an attribute that users do not have. The message names it.',
    'Use the attributes that `/scim/v2/Schemas` lists.',
    'invalidPath',
  ),
  SCIM_TARGET_MISSING: refused(
    'The path of an operation matches nothing.',
    'A `remove` without a path, or a path with a filter that matches no value. The message names it.',
    'Read the user first.',
    'noTarget',
  ),
  SCIM_ATTRIBUTE_FIXED: refused(
    'The attribute cannot be changed.',
    'A PATCH of an attribute that only the service sets, the removal of a required one, or a PUT with another `userName`.',
    'Leave the attribute out.',
    'mutability',
  ),
  SCIM_TOKEN_INVALID: rejected(401)(
    'Invalid SCIM token or request origin',
    'No `Authorization: Bearer` header, a token that is unknown, revoked or expired, an API key in its place, another `X-Request-Origin`, or an IP address that is not allowed.',
    'Send the token together with the origin for which it was made. The answer never repeats the token.',
  ),
  SCIM_USER_NOT_FOUND: rejected(404)(
    'User not found',
    'No dashboard user of the company has this id.',
    'Find the user by `userName`.',
  ),
  SCIM_RESOURCE_NOT_FOUND: rejected(404)(
    'Resource not found',
    'No dashboard user, schema or resource type has this id.',
    'Find the user by `userName`.',
  ),
  SCIM_USER_EXISTS: rejected(409)(
    'User already exists in the database.',
    'Another dashboard user has this `userName` or email, in some letter case.',
    'Find that user by `userName` and change it.',
    'uniqueness',
  ),
  SCIM_VERSION_MISMATCH: rejected(412)(
    'The user has changed since; read it again',
    '`If-Match` names another version than `meta.version`.',
    'Read the user again and repeat the change with its new version.',
  ),
  API_KEY_INVALID: rejected(401)(
    'Invalid API key',
    'No `Authorization: Bearer` header, a key that is unknown, revoked or expired, or another kind of token. The message says which.',
    'Send `Authorization: Bearer <key>` with a valid key. The answer never repeats the key that was sent.',
  ),
  ACCESS_DENIED: rejected(403)(
    'Access Denied',
    'The key does not hold the permission of the operation, or may not be used from this IP address.',
    'Use a key with the permission named in the reference.',
  ),
  URL_INVALID: rejected(404)(
    'Invalid URL',
    'There is nothing at this path.',
    'Compare the path with the reference (`/docs`).',
  ),
  REQUEST_NOT_FOUND: rejected(404)(
    'Request not found',
    'No request with this id is known in the workspace, or its outcome is no longer kept.',
    'Use the `X-Request-Id` of an accepted request; outcomes are kept for 30 days unless configured.',
  ),
  METHOD_NOT_ALLOWED: rejected(405)(
    'Method Not Allowed',
    'The path exists, but not with this method. `Allow` names those it has.',
    'Use a method named in `Allow`.',
  ),
  BODY_TOO_SLOW: rejected(408)(
    'Request Timeout',
    'The body did not arrive in 10 seconds and one more for each 512 KB.',
    'Send the request again, over a faster connection or in smaller parts.',
  ),
  BODY_TOO_LARGE: rejected(413)(
    'Request Entity Too Large',
    'The body is larger than the operation takes.',
    'Send smaller requests.',
  ),
  REQUEST_TOO_COSTLY: rejected(413)(
    'The request costs more points than the workspace has in a whole window',
    'The price of the request is higher than the limit of the pool `work`. It can never be paid.',
    'Spread the work over several requests, or have the limit of the pool `work` raised.',
  ),
  CONTENT_TYPE_UNSUPPORTED: rejected(415)(
    'Unsupported Media Type',
    'The body was not announced as `Content-Type: application/json`, or it is compressed (`Content-Encoding`). The message says which.',
    'Send the header `Content-Type: application/json`, and the body as it is.',
  ),
  HEADERS_TOO_LARGE: rejected(431)(
    'Request Header Fields Too Large',
    'Path, query and headers together have more than 16 KB.',
    'Name fewer things in one query, or use an operation that takes a body.',
  ),
  IDEMPOTENCY_KEY_REUSED: rejected(422)(
    'This Idempotency-Key was already used with another request body',
    'The same `Idempotency-Key` came with a different body for the same operation.',
    'Use a new key for a new request, and the old one only to repeat the old request.',
  ),
  RATE_LIMITED: rejected(429)(
    'Rate Limited',
    'The window of the pool is used up. `X-RateLimit-Reset` and `Retry-After` say when it opens again.',
    'Wait for `Retry-After` seconds.',
  ),
  WORK_LIMITED: rejected(429)(
    'The workspace has used up its points',
    'The request costs more points than are left in the window of the pool `work`. The message names price and limit, `X-Roster-Price` the price, `X-Roster-Work-Reset` and `Retry-After` when there are new points.',
    'Wait for `Retry-After` seconds, and send less that costs much.',
  ),
  SHARE_IN_FLIGHT: rejected(429)(
    'Too many bytes of this workspace are on their way at once',
    "The workspace's share of a process is used up: for two seconds there was no room for the body, 2,000 of its requests wait for a result, or the long answer found no room beside those that its callers have not taken yet.",
    'Wait for `Retry-After` seconds; send fewer large requests at the same time, and read answers as they come.',
  ),
  IDEMPOTENCY_KEYS_FULL: rejected(429)(
    'The workspace has no room left for idempotency keys',
    "What is kept for the workspace's idempotency keys has reached its share of the memory of Redis. The message names the limit.",
    'Send the request without an `Idempotency-Key`, or wait until older keys are forgotten.',
  ),
  INTERNAL: rejected(500)(
    'Internal Server Error',
    'A fault of the service. Its log has the request under `X-Request-Id`.',
    'Try again with back-off, with the same `Idempotency-Key`; report the request id if it stays.',
  ),
  OVERLOADED: rejected(503)(
    'The service is overloaded, please try again later',
    'More work is waiting, or more bytes are on their way, than the service may take on. Nothing of the request was accepted.',
    'Wait for `Retry-After` seconds and send it again.',
  ),
  UNAVAILABLE: rejected(503)(
    'The service is temporarily unavailable, please try again',
    'The queue or the worker could not be reached in time. Whether the request was kept is not known.',
    'Send it again after `Retry-After` seconds; with an `Idempotency-Key` this can not apply it twice.',
  ),
} as const satisfies Record<string, RejectionEntry>;

export type RejectionCode = keyof typeof rejections;

export const isRejectionCode = (code: string): code is RejectionCode => Object.hasOwn(rejections, code);

export const bodyMustBeAnObject = 'the body must be an object';

export interface RejectionOptions {
  /** A sentence that names the place, instead of the catalogue's. */
  message?: string;
  errors?: EntryError[];
  /** What is wrong in a template, or what a sentence that clients know does not say. */
  faults?: TemplateFault[];
  headers?: Record<string, string>;
}

/** The caller's fault or our absence; one place in the ingress turns it into an answer. */
export class Rejection extends Error {
  readonly code: RejectionCode;
  readonly status: number;
  readonly errors?: EntryError[];
  readonly faults?: TemplateFault[];
  readonly headers?: Record<string, string>;

  constructor(code: RejectionCode, { message, ...more }: RejectionOptions = {}) {
    super(message ?? rejections[code].message);
    this.name = 'Rejection';
    this.code = code;
    this.status = rejections[code].status;
    Object.assign(this, more);
  }
}

/** Refuses with this code, in its own words or in better ones. */
export const refusal =
  (code: RejectionCode) =>
  (message?: string): Rejection =>
    new Rejection(code, message === undefined ? {} : { message });

export function isRejection(value: unknown): value is Rejection {
  return value instanceof Rejection;
}

/** `Retry-After` is whole seconds, at least one. */
export function rejectionWithRetry(code: RejectionCode, seconds: number, message?: string): Rejection {
  const headers = { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) };
  return new Rejection(code, { headers, ...(message !== undefined && { message }) });
}

export function rejectionBody({ message, code, errors, faults }: Rejection) {
  return { message, code, ...(errors && { errors }), ...(faults && { faults }) };
}

/** A body that is no object has no structure at all, whatever it should have held. */
const scimTypeOf = ({ code, message }: Rejection): string | undefined => {
  if (code === 'BODY_INVALID' && message === bodyMustBeAnObject) return 'invalidSyntax';
  return rejections[code].scimType;
};

const scimErrorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** The same rejection as SCIM says it (RFC 7644 3.12; `status` is a number, as api.md has it). */
export function scimErrorBody(rejection: Rejection): ScimError {
  const { message, status } = rejection;
  const scimType = scimTypeOf(rejection);
  return { schemas: [scimErrorSchema], detail: message, status, ...(scimType && { scimType }) };
}
