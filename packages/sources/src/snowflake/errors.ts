/** What Snowflake says is wrong, in words. Its own texts may hold values of rows, so they are left out. */
import { networkError } from '../network-errors.ts';
import { SourceError, type SourceErrorCode } from '../source-error.ts';
import { tooSlow } from '../warehouse/polled.ts';

export interface Place {
  /** Host and port, for messages. */
  readonly at: string;
  readonly user: string;
}

type Words = readonly [code: SourceErrorCode, says: (place: Place) => string];

const denied: Words = [
  'access_denied',
  ({ at, user }) => `${at} does not let user ${user} in: wrong key, token, account or user`,
];
const busy: Words = ['server_error', ({ at }) => `${at} can't answer now: try again later`];

const tooLong: Words = ['time_limit', () => tooSlow().message];

/** Numbers of Snowflake's own; https://docs.snowflake.com/en/developer-guide/sql-api/reference has those of HTTP. */
const byCode: Readonly<Record<string, Words>> = {
  '002003': ['table_missing', ({ user }) => `the table is gone, or user ${user} may not see it`],
  '002043': ['table_missing', ({ user }) => `the table is gone, or user ${user} may not see it`],
  '000904': ['column_missing', () => 'the table or view has lost a column'],
  '003001': ['access_denied', ({ user }) => `user ${user} may not read this table`],
  '000606': ['bad_settings', () => 'the connection names no warehouse, or one that the role may not use'],
  '000630': tooLong,
  '000604': tooLong,
};

const byStatus: Readonly<Record<number, Words>> = {
  401: denied,
  403: denied,
  408: tooLong,
  429: busy,
  500: busy,
  502: busy,
  503: busy,
  504: busy,
};

export const refusal = (status: number, code: string, place: Place): SourceError => {
  const words = Object.hasOwn(byCode, code) ? byCode[code] : byStatus[status];
  if (words) return new SourceError(words[0], words[1](place));
  if (!/^\d{6}$/.test(code))
    return new SourceError(
      'not_this_protocol',
      `what answers at ${place.at} is not Snowflake (HTTP ${status})`,
    );
  return new SourceError('server_error', `Snowflake answers with error ${code}`);
};

export const toSourceError = (error: unknown, place: Place): SourceError =>
  error instanceof SourceError
    ? error
    : (networkError(error, place.at) ??
      new SourceError('not_this_protocol', `what answers at ${place.at} is not Snowflake`));
