/** What BigQuery says is wrong, in words. Its own texts may hold values of rows, so they are left out. */
import { networkError, numberOf, textOf } from '../network-errors.ts';
import { SourceError, type SourceErrorCode } from '../source-error.ts';

export interface Place {
  /** Host and port, for messages. */
  readonly at: string;
  readonly email: string;
  readonly project: string;
}

type Words = readonly [code: SourceErrorCode, says: (place: Place) => string];

const busy: Words = ['server_error', ({ at }) => `${at} can't answer now: try again later`];
const tooMuch: Words = [
  'server_error',
  ({ project }) => `project ${project} has used up its quota of BigQuery`,
];
/** Of a statement. */
export const tooSlow = (): SourceError =>
  new SourceError(
    'time_limit',
    'the statement took longer than its time limit: partition or cluster the table by the column of UPDATED_AT',
  );
const tooLong: Words = ['time_limit', () => tooSlow().message];

/** https://cloud.google.com/bigquery/docs/error-messages */
const byReason: Readonly<Record<string, Words>> = {
  authError: ['access_denied', ({ at, email }) => `${at} does not accept the key of ${email}`],
  accessDenied: [
    'access_denied',
    ({ email, project }) =>
      `${email} may not read this table, or not run statements in project ${project}: it needs the roles BigQuery Data Viewer and BigQuery Job User`,
  ],
  notFound: ['table_missing', () => 'the table, its dataset or its project is gone'],
  invalidQuery: ['column_missing', () => 'the table or view has lost a column, or its type was changed'],
  responseTooLarge: ['too_large', () => 'the result is too large for BigQuery'],
  resourcesExceeded: [
    'too_large',
    () => 'BigQuery has not enough memory for the statement: name a smaller view',
  ],
  billingNotEnabled: ['access_denied', ({ project }) => `project ${project} has no billing account`],
  billingTierLimitExceeded: tooMuch,
  quotaExceeded: tooMuch,
  rateLimitExceeded: busy,
  jobRateLimitExceeded: busy,
  backendError: busy,
  internalError: busy,
  jobInternalError: busy,
  jobBackendError: busy,
  timeout: tooLong,
  stopped: tooLong,
};

const byStatus: Readonly<Record<number, Words | undefined>> = {
  401: byReason.authError,
  403: byReason.accessDenied,
  404: byReason.notFound,
  429: busy,
  500: busy,
  502: busy,
  503: busy,
  504: busy,
};

const wordsOf = (reason: string, status: number, place: Place): SourceError | undefined => {
  const words = Object.hasOwn(byReason, reason) ? byReason[reason] : byStatus[status];
  if (words) return new SourceError(words[0], words[1](place));
  if (!reason) return undefined;
  const shown = /^[A-Za-z]{1,60}$/.test(reason) ? ` ${reason}` : '';
  return new SourceError('server_error', `BigQuery answers with error${shown}`);
};

const firstReason = (errors: unknown): string => (Array.isArray(errors) ? textOf(errors[0], 'reason') : '');

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** Of an answer that is no success. */
export const refusal = (status: number, body: unknown, place: Place): SourceError =>
  wordsOf(firstReason(member(member(body, 'error'), 'errors')), status, place) ??
  new SourceError('not_this_protocol', `what answers at ${place.at} is not BigQuery (HTTP ${status})`);

/** Of an error that the driver throws. */
export const toSourceError = (error: unknown, place: Place): SourceError =>
  error instanceof SourceError
    ? error
    : (wordsOf(firstReason(member(error, 'errors')), numberOf(error, 'code'), place) ??
      networkError(error, place.at) ??
      new SourceError('not_this_protocol', `what answers at ${place.at} is not BigQuery`));
