/** The rows of all files of a store, in the order of the files, some at a time. */
import { noKey } from '../keys.ts';
import type { FileSettings } from '../settings.ts';
import { cellOf, momentOf, tieOf } from './cells.ts';
import type { FileRow } from './kept.ts';
import { type Format, problemOf, type Reading } from './reading.ts';
import type { FileStore, StoredFile } from './store.ts';

export interface Wanted extends Pick<FileSettings, 'updatedAt' | 'tie' | 'columns'> {
  readonly store: FileStore;
  readonly format: Format;
}

/** A file without a row. */
export interface Broken {
  readonly file: StoredFile;
  readonly problem: string;
}

/** A file that begins with more records that are no rows is given up. */
const mostBeforeRows = 1_000;

/**
 * What is no row has the moment of the row before it, and its place as tie: so it is reported once, and no cursor gets ahead of the
 * rows that other files may still bring. Where rows are read by their keys it has none.
 */
const spoiled = (reading: Reading, moment: string): FileRow => ({
  moment,
  ...(moment === '' ? { tie: null, key: noKey.first } : { tie: reading.place }),
  bytes: reading.bytes,
  row: undefined,
  problem: problemOf(reading),
});

const judged = (reading: Reading, { updatedAt, tie }: Wanted): FileRow | Reading => {
  const { row, bytes, packed } = reading;
  if (!row) return reading;
  if (updatedAt === undefined) {
    const key = tieOf(cellOf(row, tie));
    return { moment: '', tie: key, key: key ?? noKey.first, bytes, row, packed };
  }
  const moment = momentOf(cellOf(row, updatedAt));
  if (moment) return { moment, tie: tieOf(cellOf(row, tie)), bytes, row, packed };
  return { place: reading.place, bytes, problem: `has no moment in ${updatedAt}` };
};

const brokenBy = (file: StoredFile, [first]: readonly Reading[]): Broken | undefined => {
  if (!first) return undefined;
  const isWhole = first.place === file.name;
  return { file, problem: isWhole ? problemOf(first) : `${file.name} has no rows: ${problemOf(first)}` };
};

async function* rowsOf(
  file: StoredFile,
  wanted: Wanted,
  signal: AbortSignal,
): AsyncGenerator<readonly (FileRow | Broken)[], void, undefined> {
  const { store, format, columns } = wanted;
  /** Records before the first row, as long as there is none. */
  let before: Reading[] = [];
  let moment = wanted.updatedAt === undefined ? '' : undefined;
  for await (const readings of format.read({ store, file, columns, signal })) {
    const rows: FileRow[] = [];
    for (const reading of readings) {
      const found = judged(reading, wanted);
      if ('moment' in found) {
        moment = found.moment;
        for (const one of before) rows.push(spoiled(one, moment));
        before = [];
        rows.push(found);
      } else if (moment !== undefined) rows.push(spoiled(found, moment));
      else if (before.push(found) > mostBeforeRows) break;
    }
    yield rows;
    if (before.length > mostBeforeRows) break;
  }
  const broken = brokenBy(file, before);
  if (broken) yield [broken];
}

/** With the file that has them. */
export async function* everyRow(
  wanted: Wanted,
  signal: AbortSignal,
  isMeant: (file: StoredFile) => boolean = () => true,
): AsyncGenerator<readonly [file: StoredFile, rows: readonly (FileRow | Broken)[]], void, undefined> {
  for (const file of await wanted.store.list(wanted.format.endings, signal)) {
    signal.throwIfAborted();
    if (!isMeant(file)) continue;
    if (file.problem !== undefined) yield [file, [{ file, problem: `${file.name} ${file.problem}` }]];
    else for await (const rows of rowsOf(file, wanted, signal)) yield [file, rows];
  }
}
