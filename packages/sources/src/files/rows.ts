/** The rows of all files of a store, in the order of the files. */
import type { Found } from '../place.ts';
import { cellOf, momentOf, tieOf } from './cells.ts';
import type { Format, Reading } from './reading.ts';
import type { FileStore, StoredFile } from './store.ts';

export interface Wanted {
  readonly store: FileStore;
  readonly format: Format;
  readonly updatedAt: string;
  readonly tie: string;
  readonly columns?: readonly string[] | undefined;
}

/** What is no row has the moment of its file, and its place as tie, so that it is reported once. */
const spoiled = ({ place, bytes }: Reading, { changed }: StoredFile, problem: string | undefined): Found => ({
  moment: momentOf(changed) ?? '',
  tie: place,
  bytes,
  row: undefined,
  ...(problem !== undefined && { problem: `${place} ${problem}` }),
});

const found = (reading: Reading, file: StoredFile, { updatedAt, tie }: Wanted): Found => {
  const { row, bytes, problem } = reading;
  if (!row) return spoiled(reading, file, problem);
  const moment = momentOf(cellOf(row, updatedAt));
  if (!moment) return spoiled(reading, file, `has no moment in ${updatedAt}`);
  return { moment, tie: tieOf(cellOf(row, tie)), bytes, row };
};

export async function* everyRow(wanted: Wanted, signal: AbortSignal): AsyncGenerator<Found, void, undefined> {
  const { store, format, columns } = wanted;
  for (const file of await store.list(format.endings, signal))
    for await (const reading of format.read({ store, file, columns, signal }))
      yield found(reading, file, wanted);
}
