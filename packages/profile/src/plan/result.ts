/** The results of the entries of one request. */
import { type EntryKind, entryKinds } from '../decide.ts';
import type { Holder } from '../holder-keys.ts';
import type { Origin, Prepared } from './item.ts';
import type { TrackEntry } from './track-request.ts';

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
export interface Result {
  origin: Origin;
  entries: { [Kind in EntryKind]?: EntryResult[] };
  notes: EntryNote[];
  /** The person of its last entry; missing when that entry had no effect. */
  person?: string;
  /** It found no such person. A request accepted before it that is still unfinished may create them. */
  premature?: true;
  /** It found no person with these names. A request accepted before it that is still unfinished may create them if it has one of the names. */
  unknown?: string[];
  /** The people who share the contact; it chose the one who was changed last. A request accepted before it that is still unfinished may change another one. */
  among?: Holder[];
  /** It was accepted after the deletion of one of its people, which is not applied yet. */
  waits?: true;
}

const refusals = (entries: readonly (TrackEntry | string)[] | undefined): EntryResult[] | undefined =>
  entries?.map((entry): EntryResult => (typeof entry === 'string' ? `refused:${entry}` : 'updated'));

/** An accepted entry counts as updated until its turn comes. */
export const resultOf = ({ origin, body }: Prepared<TrackEntry, TrackEntry>): Result => {
  const entries: Result['entries'] = {};
  for (const kind of entryKinds) {
    const results = refusals(body[kind]);
    if (results && results.length > 0) entries[kind] = results;
  }
  return { origin, entries, notes: [] };
};
