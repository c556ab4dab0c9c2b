/** The results of the entries of one request. */
import { type EntryKind, entryKinds } from '../find/decide.ts';
import type { EntryPerson, Premature } from './find-person.ts';
import type { AnyItem, Origin, PreparedRequest, TrackEntry } from './item.ts';

export type EntryResult = 'created' | 'updated' | `ignored:${string}` | `refused:${string}`;

/** A part that was ignored inside an entry that was applied. */
export interface EntryNote<Array extends string = EntryKind> {
  input_array: Array;
  index: number;
  field?: string;
  reason: string;
  /** Only in the last note, when there were too many: how many more, at least. */
  count?: number;
}

/** The result of one request. */
export interface EntryResults {
  origin: Origin;
  entries: { [Kind in EntryKind]?: EntryResult[] };
  notes: EntryNote[];
  /** The person of its last entry; missing when that entry had no effect. */
  person?: string;
  /** It found no such person. A request accepted before it that is still unfinished may create them. */
  premature?: true;
  /** It found nobody with these names. A request accepted before it that is still unfinished may create them if it has one of the names. */
  unknown?: string[];
  /** It was accepted after the deletion of one of its people, which is not applied yet. */
  waits?: true;
}

/** Until its turn, an accepted entry counts as updated. */
export const resultOf = ({ origin, body }: PreparedRequest<TrackEntry, TrackEntry>): EntryResults => {
  const entries: EntryResults['entries'] = {};
  for (const kind of entryKinds) {
    const sent: readonly (TrackEntry | string)[] = body[kind] ?? [];
    if (sent.length > 0)
      entries[kind] = sent.map(
        (entry): EntryResult => (typeof entry === 'string' ? `refused:${entry}` : 'updated'),
      );
  }
  return { origin, entries, notes: [] };
};

export const settle = (result: EntryResults, { kind, index }: AnyItem, value: EntryResult): void => {
  const results = result.entries[kind];
  if (results) results[index] = value;
};

const setPremature = (result: EntryResults, { names }: Premature): void => {
  if (!names) {
    result.premature = true;
    return;
  }
  result.unknown ??= [];
  result.unknown.push(...names);
};

/** The result of an entry for each outcome of the search for its person. */
export const settleFound = (result: EntryResults, item: AnyItem, found: EntryPerson): void => {
  if ('premature' in found && found.premature) setPremature(result, found.premature);
  if ('waits' in found) result.waits = true;
  if (found.is === 'ignored') settle(result, item, `ignored:${found.reason}`);
  if (found.is === 'created') settle(result, item, 'created');
};

export const note = (result: EntryResults, { kind, index }: AnyItem, field: string, reason: string): void => {
  result.notes.push({ input_array: kind, index, field, reason });
};

/** The notes of one request have a bound: the mark that holds them has to fit into the database. */
export const mostNotes = 1000;

/** The last one says how many more there are, at least, and stands where the first of them would. */
export const boundedNotes = <Array extends string>(notes: EntryNote<Array>[]): EntryNote<Array>[] => {
  const next = notes[mostNotes];
  if (!next) return notes;
  const { input_array, index } = next;
  const more: EntryNote<Array> = {
    input_array,
    index,
    reason: 'more_notes',
    count: notes.length - mostNotes,
  };
  return [...notes.slice(0, mostNotes), more];
};
