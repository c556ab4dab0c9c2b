/** The notes of one request have a bound: the mark that holds them has to fit into the database. */
import type { EntryNote } from './result.ts';

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
