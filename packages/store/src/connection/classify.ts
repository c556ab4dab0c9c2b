/**
 * Classifies errors, here only: passing (try again), permanent (a dead letter), unknown (find the request at fault first), duplicate or too
 * long (at fault if it happens again).
 */

export type ErrorClass = 'passing' | 'permanent' | 'unknown' | 'duplicate' | 'too long';

/** A transaction that was ended because it took too long. */
export class TransactionTooLong extends Error {
  readonly code = 'transaction_too_long';
  constructor(limitMs: number, cause?: unknown) {
    super(`its transaction took longer than ${limitMs / 1000} s`, { cause });
  }
}

/** Codes and names of errors that another try does not change: the content is at fault. */
const permanent: ReadonlySet<unknown> = new Set([
  2, // BadValue
  9, // FailedToParse
  14, // TypeMismatch
  15, // Overflow: nested too deeply
  28, // PathNotViable
  40, // ConflictingUpdateOperators
  56, // EmptyFieldName
  121, // DocumentValidationFailure: where MongoDB judges documents
  'BSONError',
  'BSONVersionError',
  'unknown_operation', // another version accepted it
  // What was to be written is not as its schema says.
  'misfit',
  'StrictModeError',
]);

/** Codes and names of passing errors: another try, in a moment, may succeed. */
const passing: ReadonlySet<unknown> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  24, // LockTimeout
  50, // MaxTimeMSExpired
  64, // WriteConcernFailed
  89, // NetworkTimeout
  91, // ShutdownInProgress
  112, // WriteConflict
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  225, // TransactionTooOld
  239, // SnapshotTooOld
  246, // SnapshotUnavailable
  251, // NoSuchTransaction
  262, // ExceededTimeLimit
  290, // TransactionExceededLifetimeLimitSeconds
  365, // TemporarilyUnavailable
  9001, // SocketException
  10058, // LegacyNotPrimary
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13388, // StaleConfig
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
  14031, // OutOfDiskSpace
  // Of the socket: the driver passes them on when a write has to wait.
  'ECONNABORTED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError', // its server has gone silent
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
  'MongoExpiredSessionError',
]);

const labels = ['TransientTransactionError', 'RetryableWriteError', 'UnknownTransactionCommitResult'];

type ErrorLike = {
  code?: unknown;
  name?: unknown;
  message?: unknown;
  hasErrorLabel?: (label: string) => boolean;
  cause?: unknown;
};

const isDescribed = (error: unknown): error is ErrorLike => typeof error === 'object' && error !== null;

export const hasLabel = (error: unknown, label: string): boolean =>
  isDescribed(error) && error.hasErrorLabel?.(label) === true;

const hasPassingLabel = (error: unknown): boolean => labels.some((label) => hasLabel(error, label));

/** Another transaction was faster; the next try reads its result. A wrong plan fails again. */
const duplicateKey = 11000;

export const isDuplicate = (error: unknown): boolean => isDescribed(error) && error.code === duplicateKey;

export const classify = (error: unknown): ErrorClass => {
  if (error instanceof TransactionTooLong) return 'too long';
  if (!isDescribed(error)) return 'unknown';
  const { code, name } = error;
  if (permanent.has(code) || permanent.has(name) || isTooLarge(error)) return 'permanent';
  if (code === duplicateKey && !hasPassingLabel(error)) return 'duplicate';
  if (hasPassingLabel(error) || passing.has(code) || passing.has(name)) return 'passing';
  return 'unknown';
};

/** A document is larger than the driver or the database takes. */
const tooLarge: ReadonlySet<unknown> = new Set([
  10334, // BSONObjectTooLarge
  17419, // the updated document is too large
  'ERR_OUT_OF_RANGE', // RangeError of the driver's buffer: a document over 17 MB
]);

/** The error of the driver for a document that fits its buffer but is too large for the database. */
const isRefusedAsTooLarge = ({ name, message }: ErrorLike): boolean =>
  name === 'MongoInvalidArgumentError' && /larger than the maximum/.test(String(message));

export const isTooLarge = (error: unknown): boolean =>
  isDescribed(error) && (tooLarge.has(error.code) || isRefusedAsTooLarge(error));

/** Errors caused by another transaction: try again at once, in the same place. */
const conflicts: ReadonlySet<unknown> = new Set([24, 112, 239, 246, duplicateKey]);

export const isConflict = (error: unknown): boolean => isDescribed(error) && conflicts.has(error.code);

/** The errors of a transaction that was ended, by MongoDB or by Roster. A lost connection is another error. */
const ended: ReadonlySet<unknown> = new Set([251, 290, 'MongoExpiredSessionError']);

/** A bulk write names the error inside it only in its message. */
const isEndedInBulk = ({ name, message }: ErrorLike): boolean =>
  name === 'MongoBulkWriteError' && /session that has ended|expired session/.test(String(message));

/** A model looks at the session itself. */
const isEndedInModel = ({ name, message }: ErrorLike): boolean =>
  name === 'MongooseError' && /session that has ended/.test(String(message));

export const isEnded = (error: unknown): boolean =>
  isDescribed(error) &&
  (ended.has(error.code) || ended.has(error.name) || isEndedInBulk(error) || isEndedInModel(error));
