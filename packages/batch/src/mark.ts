/** The outcome of a request: as its mark is stored, and as it is handed on. */
import { expiryOf, packAll, type RequestDocument } from '@roster/store';
import type { Applied, RequestResult } from './work.ts';

export const appliedOf = ({ entries = {}, notes = [] }: Partial<RequestResult>): Applied => ({
  state: 'applied',
  entries,
  ...(notes.length > 0 && { notes }),
});

export const markOf = (
  { origin: { id: _id, ws, at }, entries, notes = [] }: RequestResult,
  op: string,
  days: number | undefined,
): RequestDocument => {
  const applied = new Date();
  return {
    _id,
    ws,
    op,
    at,
    state: 'applied',
    applied,
    entries: packAll(entries),
    ...(notes.length > 0 && { notes }),
    expires: expiryOf(applied, days),
  };
};
