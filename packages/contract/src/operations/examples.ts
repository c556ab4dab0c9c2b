/** What stands in several examples. */
import type { EntryErrorCode } from '../rejections/entry-errors.ts';

export const refusedEntry = (type: string, code: EntryErrorCode, input_array: string, index = 0) => ({
  type,
  code,
  input_array,
  index,
});
