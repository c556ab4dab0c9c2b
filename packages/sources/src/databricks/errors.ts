/** What Databricks says is wrong, in words. Its own texts may hold values of rows, so only the class of an error is read. */
import { networkError } from '../network-errors.ts';
import { SourceError, type SourceErrorCode } from '../source-error.ts';

export interface Place {
  /** Host and port, for messages. */
  readonly at: string;
  readonly who: string;
}

type Words = readonly [code: SourceErrorCode, says: (place: Place) => string];

const denied: Words = [
  'access_denied',
  ({ at, who }) =>
    `${at} does not let ${who} in: wrong token, client or secret, or no right to the warehouse`,
];
const busy: Words = ['server_error', ({ at }) => `${at} can't answer now: try again later`];
const tableGone: Words = ['table_missing', ({ who }) => `the table is gone, or ${who} may not see it`];
const mayNotRead: Words = ['access_denied', ({ who }) => `${who} may not read this table`];

/** https://docs.databricks.com/aws/en/error-messages/error-classes */
const byClass: Readonly<Record<string, Words>> = {
  TABLE_OR_VIEW_NOT_FOUND: tableGone,
  SCHEMA_NOT_FOUND: tableGone,
  NO_SUCH_CATALOG_EXCEPTION: tableGone,
  CATALOG_NOT_FOUND: tableGone,
  UNRESOLVED_COLUMN: ['column_missing', () => 'the table or view has lost a column'],
  INSUFFICIENT_PERMISSIONS: mayNotRead,
  PERMISSION_DENIED: mayNotRead,
};

/** Of a request; a missing result may be read again by the next statement. */
const byStatus: Readonly<Record<number, Words>> = {
  401: denied,
  403: denied,
  404: ['server_error', ({ at }) => `${at} no longer has the result of the statement`],
  429: busy,
  500: busy,
  502: busy,
  503: busy,
  504: busy,
};

const isOwn = (code: string): boolean => /^[A-Z][A-Z_]{2,60}$/.test(code);

/** To a request. `code` is its `error_code`. */
export const refusal = (status: number, code: string, place: Place): SourceError => {
  const words = byStatus[status];
  const isTold = words !== undefined && (status !== 404 || isOwn(code));
  if (isTold) return new SourceError(words[0], words[1](place));
  return isOwn(code)
    ? new SourceError('server_error', `Databricks answers with error ${code}`)
    : new SourceError('not_this_protocol', `what answers at ${place.at} is not Databricks (HTTP ${status})`);
};

export const noWarehouse = (): SourceError =>
  new SourceError('bad_settings', 'the workspace has no SQL warehouse of this id, or refuses the statement');

/** Of a statement that failed: `[UNRESOLVED_COLUMN.WITH_SUGGESTION] ...`. */
export const failure = (message: string, place: Place): SourceError => {
  const [, name = ''] = /^\[([A-Z][A-Z0-9_]{0,80})[\].]/.exec(message) ?? [];
  const words = Object.hasOwn(byClass, name) ? byClass[name] : undefined;
  if (words) return new SourceError(words[0], words[1](place));
  return new SourceError('server_error', `Databricks answers with error ${name || 'without a name'}`);
};

export const toSourceError = (error: unknown, place: Place): SourceError =>
  error instanceof SourceError
    ? error
    : (networkError(error, place.at) ??
      new SourceError('not_this_protocol', `what answers at ${place.at} is not Databricks`));
