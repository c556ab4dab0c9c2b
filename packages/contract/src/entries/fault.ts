import type { EntryErrorCode } from '../entry-errors.ts';
import type { EntryFault } from '../operation.ts';

/** A fault whose sentence is the catalogue's. */
export function fault(code: EntryErrorCode): EntryFault {
  return { code };
}

/** A fault whose sentence names its place: `events[3]` + at + text. */
export function faultAt(code: EntryErrorCode, at: string, text: string): EntryFault {
  return { code, at, text };
}
