/** The files of a store, read as one table. They have no order, so each reading of them sorts the rows behind a place. */

import { bounds, type Limits } from '../bounds.ts';
import { noKey } from '../keys.ts';
import { readPages } from '../pages.ts';
import { parquet } from '../parquet/parquet.ts';
import { lookBack, type Place, toPlace } from '../place.ts';
import type { FileSettings } from '../settings.ts';
import type { ReadOptions, Source } from '../source.ts';
import { SourceError } from '../source-error.ts';
import { findColumn } from '../sql/find-column.ts';
import { cellOf, momentOf } from './cells.ts';
import { csv } from './csv.ts';
import { type FileRow, isAfter } from './kept.ts';
import { ndjson } from './ndjson.ts';
import type { Format } from './reading.ts';
import { type Broken, everyRow, type Wanted } from './rows.ts';
import { sample } from './sample.ts';
import { createSort, type SortBounds } from './sort.ts';
import type { FileStore, StoredFile } from './store.ts';

const formats = { ndjson, csv, parquet } satisfies Record<FileSettings['format'], Format>;

/** The last two are for tests. */
interface FilesOptions {
  readonly limits?: Partial<Limits>;
  readonly sort?: SortBounds;
  readonly format?: Format;
}

export const columnsOfFiles = async (store: FileStore, { format }: Pick<FileSettings, 'format'>) => {
  const { signal: closing } = new AbortController();
  const { questionMs } = bounds;
  return (await sample({ store, format: formats[format], questionMs, closing })).columns;
};

type Sort = ReturnType<typeof createSort>;

/** A file without rows comes when it was changed, and not after the last row: a cursor must not get ahead of rows. */
const placed = ({ file, problem }: Broken, latest: string): FileRow => {
  const without = latest === '' && { tie: null, key: noKey.first };
  const changed = momentOf(file.changed) ?? latest;
  const moment = changed < latest ? changed : latest;
  return { moment, tie: file.name, ...without, bytes: 0, row: undefined, problem };
};

type Reading = Pick<ReadOptions, 'signal' | 'rest' | 'late'>;

/** A bucket tells whole seconds, in which the file may have come later. */
const isSince = ({ changed }: StoredFile, before: Date): boolean => {
  const time = Date.parse(changed);
  return time + (time % 1_000 === 0 ? 1_000 : 0) > before.getTime();
};

/** Sorts the rows after a place whose time has come, and counts those before it that are late. What is no row of a new file is told, however old the row before it is. */
const sortRows = async (wanted: Wanted, from: Place | undefined, sort: Sort, reading: Reading) => {
  const { signal, rest, late } = reading;
  const now = momentOf(new Date().toISOString()) ?? '';
  let lateRows = 0;
  const add = (found: FileRow, isNew = false): Promise<void> | undefined => {
    if (!from || isAfter(found, from)) return sort.add(found);
    if (isNew && !found.row) return sort.add({ ...found, moment: from.moment });
    if (isNew) lateRows += 1;
    return undefined;
  };
  const broken: Broken[] = [];
  let [latest, hasRows] = [wanted.updatedAt === undefined ? '' : from?.moment, false];
  for await (const [file, rows] of everyRow(wanted, signal)) {
    const isNew = late !== undefined && isSince(file, late.before);
    for (const one of rows) {
      if ('file' in one) {
        broken.push(one);
        continue;
      }
      hasRows = true;
      if (one.moment > now) continue;
      if (latest === undefined || one.moment > latest) latest = one.moment;
      const spilling = add(one, isNew);
      if (spilling) await spilling;
    }
    await rest?.();
  }
  const [first] = broken;
  if (first && latest === undefined && !hasRows) throw new SourceError('wrong_type', first.problem);
  if (latest !== undefined) for (const one of broken) await add(placed(one, latest));
  if (from) late?.told(lateRows);
};

const test = async (wanted: Wanted, sampled: ReturnType<typeof sample>) => {
  const { store, updatedAt, tie } = wanted;
  const { columns, rows } = await sampled;
  findColumn(columns, tie, store.at);
  if (updatedAt === undefined) return { columns, sample: rows.slice(0, bounds.sampleRows) };
  findColumn(columns, updatedAt, store.at);
  const timely = rows.filter((row) => momentOf(cellOf(row, updatedAt)));
  if (timely.length === 0)
    throw new SourceError(
      'wrong_type',
      `no row of ${store.at} has a moment in ${updatedAt}: it must look like 2026-01-31T10:00:00Z`,
    );
  return { columns, sample: timely.slice(0, bounds.sampleRows) };
};

export const openFiles = (store: FileStore, settings: FileSettings, options: FilesOptions = {}): Source => {
  const { updatedAt, tie, columns } = settings;
  const { format = formats[settings.format] } = options;
  const { questionMs } = { ...bounds, ...options.limits };
  const wanted: Wanted = { store, format, updatedAt, tie, columns };
  const closing = new AbortController();

  /** One pass over all files; its result is the place behind it, if there are rows left. */
  async function* pass(from: Place | undefined, reading: Reading) {
    const sort = createSort(options.sort);
    let place: Place | undefined;
    try {
      await sortRows(wanted, from, sort, reading);
      for await (const rows of sort.rows()) {
        reading.signal.throwIfAborted();
        yield rows;
        const last = rows.at(-1);
        if (last) place = { moment: last.moment, tie: last.tie, isOpen: false, seen: [] };
      }
      reading.signal.throwIfAborted();
      return sort.hasMore() ? place : undefined;
    } finally {
      await sort.close();
    }
  }
  async function* find(since: Place | undefined, { signal, rest, late }: ReadOptions) {
    const end = AbortSignal.any([signal, closing.signal]);
    let from = yield* pass(since, { signal: end, rest, late });
    while (from) from = yield* pass(from, { signal: end, rest });
  }

  return {
    test: () => test(wanted, sample({ store, format, questionMs, closing: closing.signal })),
    estimate: async () => undefined,
    async missed(since, before, signal) {
      if (!since || !before || updatedAt === undefined) return {};
      const from = toPlace(since);
      const end = AbortSignal.any([signal, closing.signal]);
      let late = 0;
      for await (const [, rows] of everyRow(wanted, end, (file) => isSince(file, before)))
        for (const one of rows) if (!('file' in one) && one.row && !isAfter(one, from)) late += 1;
      return { late };
    },
    clock: async () => ({}),
    pages: (read) => readPages((since) => find(since, read), read, Number.POSITIVE_INFINITY),
    lookBack,
    close: async () => closing.abort(new SourceError('connection_lost', `${store.at} is not read any more`)),
  };
};
