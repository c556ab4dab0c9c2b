/** Turns accepted requests into requests of the rules. */
import type { AcceptedRequest } from '@roster/contract';
import type { EntryNote, IdentityRequest, ListedEntry } from '@roster/profile';
import { bodyOf } from './body.ts';
import { lineFor, notUsed } from './operations.ts';

const unusedIn = (array: string, entries: readonly unknown[]): EntryNote<string>[] =>
  entries.map((_, index) => ({ input_array: array, index, reason: notUsed }));

export const identityRequest = (request: AcceptedRequest): IdentityRequest => {
  const body = bodyOf(request);
  const lists: IdentityRequest['lists'] = {};
  const notes: EntryNote<string>[] = [];
  for (const [array, read] of Object.entries(lineFor(request).reads)) {
    const entries = body[array];
    if (!Array.isArray(entries)) continue;
    if (read === notUsed) notes.push(...unusedIn(array, entries));
    else
      lists[array] = entries.map(
        (entry): ListedEntry => (typeof entry === 'string' ? entry : read(entry as never, body)),
      );
  }
  return { id: request.id, ws: request.ws, at: request.at, lists, notes };
};
