export { type About, about } from './about.ts';
export type { Batch, BatchOptions, EntryOutcome, EntryResult } from './batch/types.ts';
export type { Pause } from './call-options.ts';
export type { Answer, Body, CallOptions, Calls, Codes, OperationId } from './calls.ts';
export {
  AccessError,
  BatchFullError,
  ConflictError,
  ConnectionError,
  type ErrorCode,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
  type RefusedEntry,
  RosterError,
  ServerError,
  TimeoutError,
  UnavailableError,
  type WebhookErrorCode,
} from './errors.ts';
export { type Attempt, type Middleware, type Next, telemetryOf } from './middleware.ts';
export { Roster, type RosterOptions } from './roster.ts';
export type { RosterTypes } from './typed.ts';
export {
  type SignOptions,
  type Webhook,
  WebhookError,
  type WebhookOptions,
  type Webhooks,
} from './webhooks.ts';
