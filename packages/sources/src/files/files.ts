/** The files of a store, read as one table. They have no order, so each reading of them sorts the rows behind a place. */
import { bounds } from '../bounds.ts';
import { readPages } from '../pages.ts';
import { lookBack, type Place } from '../place.ts';
import type { FileOrder } from '../settings.ts';
import type { Column, Row, Source } from '../source.ts';
import { SourceError } from '../source-error.ts';
import { findColumn } from '../sql/find-column.ts';
import { momentOf } from './cells.ts';
import { formats } from './formats.ts';
import { isAfter } from './order.ts';
import type { Format } from './reading.ts';
import { everyRow, type Wanted } from './rows.ts';
import { createSort, type SortBounds } from './sort.ts';
import type { FileStore } from './store.ts';

const rowsSampled = 100;

const columnsIn = (rows: readonly Row[]): readonly Column[] => {
  const cells = rows.flatMap((row) => Object.entries(row));
  const types = new Map<string, string>();
  for (const [name, cell] of cells)
    if (cell !== null || !types.has(name)) types.set(name, cell === null ? 'null' : typeof cell);
  return [...types].slice(0, bounds.columns).map(([name, type]) => ({ name, type }));
};

interface Sample {
  readonly rows: readonly Row[];
  /** Of what is no row, the first. */
  readonly problem: string | undefined;
}

const sampled = async (wanted: Wanted): Promise<Sample> => {
  const rows: Row[] = [];
  let first: string | undefined;
  const signal = AbortSignal.timeout(bounds.questionMs);
  try {
    for await (const { row, problem } of everyRow(wanted, signal)) {
      if (row) rows.push(row);
      else first ??= problem;
      if (rows.length >= rowsSampled) break;
    }
  } catch (error) {
    if (signal.aborted && rows.length === 0)
      throw new SourceError('no_answer', `nothing of ${wanted.store.at} was read within 15 s`);
    if (!signal.aborted) throw error;
  }
  return { rows, problem: first };
};

const test = async (wanted: Wanted) => {
  const { store, format, updatedAt, tie } = wanted;
  const { rows, problem } = await sampled(wanted);
  const why = problem === undefined ? '' : `: ${problem}`;
  if (rows.length === 0)
    throw new SourceError(
      'table_missing',
      `no file of ${store.at} has ${format.wants} with a moment in ${updatedAt}${why}`,
    );
  const columns = columnsIn(rows);
  for (const name of [updatedAt, tie]) findColumn(columns, name, store.at);
  return { columns, sample: rows.slice(0, bounds.sampleRows) };
};

/** For tests. */
interface FilesOptions {
  readonly sort?: SortBounds;
  readonly format?: Format;
}

export const openTableOf = (store: FileStore, settings: FileOrder, options: FilesOptions = {}): Source => {
  const { format, updatedAt, tie, columns } = settings;
  const wanted: Wanted = { store, format: options.format ?? formats[format], updatedAt, tie, columns };

  /** One pass over all files; its result is the place behind it, if there are rows left. */
  async function* pass(from: Place | undefined, signal: AbortSignal) {
    const now = momentOf(new Date().toISOString()) ?? '';
    const sort = createSort(options.sort);
    let place: Place | undefined;
    try {
      for await (const found of everyRow(wanted, signal))
        if (found.moment <= now && (!from || isAfter(found, from))) await sort.add(found);
      for await (const rows of sort.rows()) {
        yield rows;
        const last = rows.at(-1);
        if (last) place = { moment: last.moment, tie: last.tie, isOpen: false, seen: [] };
      }
      return sort.hasMore() ? place : undefined;
    } finally {
      await sort.close();
    }
  }
  async function* find(since: Place | undefined, signal: AbortSignal) {
    let from = since;
    do from = yield* pass(from, signal);
    while (from);
  }

  return {
    columns: async () => columnsIn((await sampled(wanted)).rows),
    test: () => test(wanted),
    estimate: async () => undefined,
    pages: (options) => readPages(find, options, Number.POSITIVE_INFINITY),
    lookBack,
    close: async () => {},
  };
};
