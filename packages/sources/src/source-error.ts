/**
 * What is wrong with a source, in words for the person who set it up. `config`: settings, rights or the table have to
 * change; `passing`: the same may work later.
 */
export type SourceErrorCode =
  | 'bad_settings'
  | 'host_not_found'
  | 'connection_refused'
  | 'no_answer'
  | 'connection_lost'
  | 'not_this_protocol'
  | 'tls'
  | 'access_denied'
  | 'database_missing'
  | 'table_missing'
  | 'column_missing'
  | 'wrong_type'
  | 'time_limit'
  | 'too_large'
  | 'file_changed'
  | 'out_of_memory'
  | 'reader_ended'
  | 'server_error';

const passing: ReadonlySet<SourceErrorCode> = new Set([
  'connection_refused',
  'no_answer',
  'connection_lost',
  'time_limit',
  'file_changed',
  'out_of_memory',
  'reader_ended',
  'server_error',
]);

export class SourceError extends Error {
  readonly code: SourceErrorCode;
  readonly kind: 'config' | 'passing';

  constructor(code: SourceErrorCode, message: string) {
    super(message);
    this.name = 'SourceError';
    this.code = code;
    this.kind = passing.has(code) ? 'passing' : 'config';
  }
}

export const bad = (message: string): SourceError => new SourceError('bad_settings', message);

/** Its sender may be wrong about how large its rows are. */
export const tooMuchAtOnce = (at: string, bytes: number): SourceError =>
  new SourceError(
    'too_large',
    `${at} answers with more than ${Math.round(bytes / 1_048_576)} MB at once: select fewer columns, or smaller rows`,
  );

/** What a view may not do. */
export const writes =
  'the view, or a function in it, writes or locks, and a sync only reads: name a table, or a view that only reads';

/** A cursor can't get behind them. */
export const tooManyAlike = (): SourceError =>
  new SourceError(
    'too_large',
    'too many rows have the same UPDATED_AT and the same value in the column that tells rows apart: name a unique one as key',
  );

/** Whether it has the shape of an error code: letters in several words, or a short number. Anything else may repeat a credential, and is not shown. */
export const isErrorCode = (text: string): boolean =>
  /^(?:\d{1,6}|(?=.{1,60}$)(?:[A-Z]+(?:_[A-Z]+)+|[A-Za-z]*[a-z](?:[A-Z]+[a-z]*)+))$/.test(text);

/** What is wrong, in words that name where. */
export type Words<Where> = readonly [code: SourceErrorCode, says: (where: Where) => string];

export const inWords = <Where>([code, says]: Words<Where>, where: Where): SourceError =>
  new SourceError(code, says(where));
