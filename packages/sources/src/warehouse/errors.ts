/** What a warehouse says is wrong, in words. Its own texts may hold values of rows, so only its codes are read. */
import { networkError } from '../network-errors.ts';
import { inWords, isErrorCode, SourceError, type Words } from '../source-error.ts';
import { entryOf } from './dialect.ts';

export interface Place {
  readonly product: string;
  /** Host and port. */
  readonly at: string;
  /** Whose credential is used. */
  readonly who: string;
}

export type Dictionary = Readonly<Record<string, Words<Place>>>;

export const busy: Words<Place> = ['server_error', ({ at }) => `${at} can't answer now: try again later`];

export const denied: Words<Place> = [
  'access_denied',
  ({ at, who }) =>
    `${at} does not let ${who} in: the key or token is wrong or has expired, or may not be used here`,
];
export const tableGone: Words<Place> = [
  'table_missing',
  ({ who }) => `the table is gone, or ${who} may not see it`,
];
export const columnGone: Words<Place> = [
  'column_missing',
  () => 'the table or view has lost a column, or its type was changed',
];
export const mayNotRead: Words<Place> = ['access_denied', ({ who }) => `${who} may not read this table`];
export const tooLong: Words<Place> = [
  'time_limit',
  () =>
    'the statement took longer than its time limit: partition or cluster the table by the column of UPDATED_AT, or choose a larger warehouse',
];

const byStatus: Dictionary = {
  401: denied,
  403: denied,
  408: tooLong,
  429: busy,
  500: busy,
  502: busy,
  503: busy,
  504: busy,
};

/** Of a code of its own. */
export const failure = (code: string, dictionary: Dictionary, place: Place): SourceError => {
  const words = entryOf(dictionary, code);
  if (words) return inWords(words, place);
  const shown = isErrorCode(code) ? code : 'without a code';
  return new SourceError('server_error', `${place.product} answers with error ${shown}`);
};

/** Of an answer that is no success. `code` is empty where what answers is something else. */
export const refusal = (status: number, code: string, dictionary: Dictionary, place: Place): SourceError => {
  const words = entryOf(dictionary, code) ?? entryOf(byStatus, String(status));
  if (words) return inWords(words, place);
  return code ? failure(code, dictionary, place) : foreign(place, ` (HTTP ${status})`);
};

export const foreign = ({ at, product }: Place, more = ''): SourceError =>
  new SourceError('not_this_protocol', `what answers at ${at} is not ${product}${more}`);

export const toSourceError = (error: unknown, place: Place): SourceError =>
  error instanceof SourceError ? error : (networkError(error, place.at) ?? foreign(place));
