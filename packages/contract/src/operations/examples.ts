/** What stands in several examples. */
import type { EntryErrorCode } from '../rejections/entry-errors.ts';
import { errorBodyIn } from '../rejections/error-bodies.ts';
import type { Dialect } from '../rejections/error-shapes.ts';
import { Rejection, type RejectionCode, type RejectionOptions } from '../rejections/rejections.ts';
import type { Json } from '../types.ts';

export const refusedEntry = (type: string, code: EntryErrorCode, input_array: string, index = 0) => ({
  type,
  code,
  input_array,
  index,
});

/** What a request that fails as a whole is answered, under its status. */
export const refusedAs = (code: RejectionCode, options?: RejectionOptions, dialect?: Dialect) => {
  const rejection = new Rejection(code, options);
  return { [rejection.status]: errorBodyIn(dialect, rejection) as Json };
};
