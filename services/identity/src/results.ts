/** The answers of the operations, each in its own form. */
import { countAccepted, errorsIn, type Result } from './refused.ts';

/** The number of accepted entries, and the refused ones. */
export const counted =
  (counter: 'aliases_processed' | 'deleted'): Result =>
  (request, { entries }) => ({
    [counter]: countAccepted(entries),
    message: 'success',
    ...errorsIn(request, entries),
  });
