/** A look at the first rows of some files. */
import { bounds } from '../bounds.ts';
import type { Column, Row } from '../source.ts';
import { SourceError } from '../source-error.ts';
import { type Format, problemOf } from './reading.ts';
import type { FileStore, StoredFile } from './store.ts';

/** Of so many files that have rows, and of the first rows of each. */
const files = 10;
const rowsOfFile = 100;
const bytesOfFile = 400_000;

interface Sampling {
  readonly store: FileStore;
  readonly format: Format;
  readonly questionMs: number;
  readonly closing: AbortSignal;
}

/** A null says nothing of its type. */
const columnsIn = (rows: readonly Row[]): readonly Column[] => {
  const types = new Map<string, string>();
  for (const row of rows)
    for (const [name, cell] of Object.entries(row))
      if (cell !== null || !types.has(name)) types.set(name, cell === null ? 'null' : typeof cell);
  return [...types].slice(0, bounds.columns).map(([name, type]) => ({ name, type }));
};

const rowsAt = async ({ store, format }: Sampling, file: StoredFile, signal: AbortSignal) => {
  const rows: Row[] = [];
  let [bytes, problem]: [number, string | undefined] = [0, undefined];
  for await (const readings of format.read({ store, file, columns: undefined, signal })) {
    for (const reading of readings) {
      if (reading.row) rows.push(reading.row);
      else problem ??= problemOf(reading);
      bytes += reading.row ? reading.bytes : 0;
      if (rows.length >= rowsOfFile || bytes >= bytesOfFile) return { rows, problem };
    }
  }
  return { rows, problem };
};

const nothing = ({ store, format }: Sampling, problem: string | undefined): SourceError =>
  new SourceError(
    'table_missing',
    problem === undefined
      ? `${store.at} has no row in a file that ends with ${format.endings.join(' or ')}`
      : `${store.at} has no row: ${problem}`,
  );

const tooLate = (at: string, asked: string, ms: number): SourceError =>
  new SourceError('no_answer', `${at} did not give ${asked} within ${ms / 1_000} s`);

/** Throws when there is no row. */
export const sample = async (sampling: Sampling) => {
  const { store, format, questionMs, closing } = sampling;
  const late = AbortSignal.timeout(questionMs);
  const signal = AbortSignal.any([late, closing]);
  const rows: Row[] = [];
  let [withRows, first]: [number, string | undefined] = [0, undefined];
  let asked = 'the list of its files';
  try {
    for (const file of await store.list(format.endings, signal)) {
      if (file.problem !== undefined) first ??= `${file.name} ${file.problem}`;
      if (file.problem !== undefined) continue;
      asked = `a row of ${file.name}`;
      const found = await rowsAt(sampling, file, signal);
      first ??= found.problem;
      rows.push(...found.rows);
      if (found.rows.length > 0) withRows += 1;
      if (withRows >= files) break;
    }
  } catch (error) {
    if (!late.aborted) throw error;
    if (rows.length === 0) throw error instanceof SourceError ? error : tooLate(store.at, asked, questionMs);
  }
  if (rows.length === 0) throw nothing(sampling, first);
  return { columns: columnsIn(rows), rows };
};
