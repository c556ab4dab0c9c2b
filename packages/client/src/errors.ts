/** What can go wrong, as classes: by what the caller can do about it. */
import type { EntryErrorCode, RejectionCode } from '@roster/contract';

/** Why a webhook is refused. */
export type WebhookErrorCode = 'WEBHOOK_HEADER_MISSING' | 'WEBHOOK_SIGNATURE_WRONG' | 'WEBHOOK_TIME_WRONG';

/** The cases of docs/errors.md, those of webhooks, and `failed` of an entry that became a dead letter. */
export type ErrorCode = RejectionCode | EntryErrorCode | WebhookErrorCode | 'failed';

/** One refused entry, as it stands in `errors` of an answer. */
export interface RefusedEntry {
  /** The sentence. */
  type: string;
  code: ErrorCode;
  input_array: string;
  index: number;
}

type Told = Omit<RosterError, keyof Error | 'attempts'>;

/** What is known of an error beside its sentence. */
export type ErrorDetails = { [Name in keyof Told]?: Told[Name] | undefined } & { cause?: unknown };

/** Every error of this client is one. */
export class RosterError extends Error {
  override name = 'RosterError';
  /** Status of the answer; 0 when there was none. */
  declare readonly status: number;
  /** The case in the list of errors (docs/errors.md), where it is known. */
  declare readonly code: ErrorCode | undefined;
  /** Id of the operation: `users.track`. */
  declare readonly operation: string | undefined;
  declare readonly requestId: string | undefined;
  /** The member of the request that the sentence names. */
  declare readonly field: string | undefined;
  /** What to do about it. */
  declare readonly remedy: string | undefined;
  /** The refused entries, when entries were refused. */
  declare readonly errors: RefusedEntry[];
  /** Seconds after which the service asks to try again. */
  declare readonly retryAfter: number | undefined;
  /** Whether the same request may be taken later, where it is known. */
  declare readonly retry: boolean | undefined;
  /** The answer's own body. */
  declare readonly body: unknown;
  /** How often it was tried. */
  attempts = 1;

  constructor(message: string, { cause, status = 0, errors = [], ...told }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, told, { status, errors });
  }
}

/** The request is not what the operation takes: 400, 405, 408, 413, 415, 422, 431. Correct it; nothing of it was applied. */
export class InvalidRequestError extends RosterError {
  override name = 'InvalidRequestError';
}

/** The key is wrong, or may not do this: 401, 403. */
export class AccessError extends RosterError {
  override name = 'AccessError';
}

/** What the request is about does not exist: 404. */
export class NotFoundError extends RosterError {
  override name = 'NotFoundError';
}

/** What is there does not go with the request: 409, 412. */
export class ConflictError extends RosterError {
  override name = 'ConflictError';
}

/** Too much in too short a time, all retries included: 429. */
export class RateLimitError extends RosterError {
  override name = 'RateLimitError';
}

/** The service could not take it in time, all retries included: 502, 503, 504, 520 to 530. Whether it was kept is not known. */
export class UnavailableError extends RosterError {
  override name = 'UnavailableError';
}

/** A bug of the service: any other status. */
export class ServerError extends RosterError {
  override name = 'ServerError';
}

/** There was no answer. Whether the request was kept is not known; sent again under its idempotency key it counts once. */
export class ConnectionError extends RosterError {
  override name = 'ConnectionError';

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, { remedy: 'Send it again under the same idempotency key.', ...details });
  }
}

/** There was no answer in time. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/** The batch holds as many entries or bytes as it may: await `batch.room()` before the next entry. */
export class BatchFullError extends RosterError {
  override name = 'BatchFullError';

  constructor() {
    super('the batch is full', { remedy: 'Await room() before the next entry.' });
  }
}
