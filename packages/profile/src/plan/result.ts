/** What became of the entries of one request. */
import { type EntryKind, entryKinds } from '../decide.ts';
import type { Item, Origin, Prepared, TrackEntry } from './item.ts';

export type EntryResult = 'created' | 'updated' | `ignored:${string}` | `refused:${string}`;

/** Something that was ignored inside an entry that was applied. */
export interface EntryNote<Array extends string = EntryKind> {
  input_array: Array;
  index: number;
  field?: string;
  reason: string;
  /** Of the last one, when there were too many: how many more, at least. */
  count?: number;
}

/** What became of one request. */
export interface Result {
  origin: Origin;
  entries: { [Kind in EntryKind]?: EntryResult[] };
  notes: EntryNote[];
  /** Whom its last entry was about; nobody when that had no effect. */
  person?: string;
  /** It depends on somebody not being there, who may still come with something that was accepted before. */
  early?: true;
  /** It was accepted after a deletion of somebody it is about, which is not applied yet. */
  waits?: true;
}

type AnyItem = Item<TrackEntry>;

const refusals = (entries: readonly (TrackEntry | string)[] | undefined): EntryResult[] | undefined =>
  entries?.map((entry): EntryResult => (typeof entry === 'string' ? `refused:${entry}` : 'updated'));

/** Everything accepted counts as updated until its turn comes. */
export const resultOf = ({ origin, body }: Prepared<TrackEntry, TrackEntry>): Result => {
  const entries: Result['entries'] = {};
  for (const kind of entryKinds) {
    const results = refusals(body[kind]);
    if (results && results.length > 0) entries[kind] = results;
  }
  return { origin, entries, notes: [] };
};

export const settle = (result: Result, { kind, index }: AnyItem, value: EntryResult): void => {
  const results = result.entries[kind];
  if (results) results[index] = value;
};

export const note = (result: Result, { kind, index }: AnyItem, field: string, reason: string): void => {
  result.notes.push({ input_array: kind, index, field, reason });
};
