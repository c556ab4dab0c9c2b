/** What an import would make of its file: each column with a sample, the first rows, and the judgement of all. Nothing is sent. */
import { createReadStream } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { isoTime, stringifyExact } from '@roster/contract';
import { isRecord, type JsonObject } from '../json.ts';
import type { Watched } from '../person.ts';
import type { Result } from '../result.ts';
import { table } from '../shown.ts';
import { batchesOf } from './batches.ts';
import { type Column, type Columns, warningOf } from './csv-rows.ts';
import { createDelivery } from './delivery.ts';
import type { ImportOptions } from './import-plan.ts';
import { createJudgingClient } from './judging-client.ts';
import { createLooks } from './looks.ts';
import { exitCodeOf, type Finding, jsonOf, textOf } from './report.ts';
import type { Row } from './row.ts';
import { type Format, rowsOf } from './source.ts';

interface DryRun extends Pick<ImportOptions, 'batchSize' | 'concurrency'> {
  file: string;
  format: Format;
}

const mostRows = 3;
const longestSample = 60;

const entryOf = ({ entries: [entry], given }: Row): JsonObject => given ?? entry?.value ?? {};

/** What the server makes of it. */
const becomes = (value: unknown, { isTimed }: Column): string => {
  const time = isTimed && typeof value === 'string' ? isoTime(value) : undefined;
  return time === undefined || time === value ? '' : ` (becomes ${time})`;
};

const sampleOf = (rows: readonly Row[], column: Column): string => {
  const { field } = column;
  const found = rows.flatMap((row) => {
    const entry = entryOf(row);
    const places = [entry, entry.properties, entry.user_alias].filter(isRecord);
    return places.flatMap((place) => (Object.hasOwn(place, field) ? [place[field]] : []));
  });
  const text = found.length > 0 ? stringifyExact(found[0]) : '';
  return text.length > longestSample
    ? `${text.slice(0, longestSample)}...`
    : `${text}${becomes(found[0], column)}`;
};

const shownRow = (row: Row): string => {
  const all = [...row.entries, ...(row.names ?? [])].map(({ value }) => stringifyExact(value));
  return `line ${row.line}: ${row.fault ? `refused: ${row.fault.sentence}` : all.join(' ')}\n`;
};

const columnTable = (columns: readonly Column[], rows: readonly Row[]): string =>
  table(columns, {
    COLUMN: ({ title }) => title,
    BECOMES: ({ field }) => field || '(left out)',
    TYPE: ({ field, type }) => field && type,
    SAMPLE: (column) => column.field && sampleOf(rows, column),
  });

/** The first rows are kept, while all of them go on. */
async function* noting(rows: AsyncIterable<Row>, kept: Row[]): AsyncGenerator<Row> {
  for await (const row of rows) {
    if (kept.length < mostRows) kept.push(row);
    yield row;
  }
}

const beginning = { bytes: 0, line: 1 };
const onlyServer =
  'What only the server knows is not judged: whether people, apps and groups exist, blocked ids, and the permissions of the key.';

const reportOf = (
  finding: Finding,
  { columns = [], guess }: Partial<Columns>,
  rows: readonly Row[],
): Result => ({
  json: {
    columns: columns.map(({ title, field, type }) => ({ title, field, type })),
    first_rows: rows.map(({ line, entries, fault }) => ({ line, entries, ...(fault && { fault }) })),
    ...jsonOf(finding),
  },
  text: [
    ...(columns.length > 0 ? [columnTable(columns, rows), '\n'] : []),
    ...rows.map(shownRow),
    '\n',
    textOf(finding),
  ].join(''),
  notes: [guess, warningOf(columns), onlyServer, 'Nothing was sent: this was a dry run.'],
  exitCode: exitCodeOf(finding),
});

export const dryRun = async (options: DryRun, watched: Watched): Promise<Result> => {
  const { file, format, batchSize, concurrency } = options;
  const looks = createLooks();
  const rows: Row[] = [];
  let header: Partial<Columns> = {};
  const bytes = addAbortSignal(watched.stop.signal, createReadStream(file));
  const onHeader = (found: Columns): void => {
    header = found;
    looks.begin(found.columns);
  };
  const seen = { onHeader, onCells: looks.see, onEntries: looks.seeEntries };
  const source = rowsOf({ bytes, position: beginning, format, ...seen });
  const client = createJudgingClient(batchSize);
  const delivery = createDelivery(watched, { client, concurrency });
  let position = beginning;
  const isWhole = await delivery.send(batchesOf([noting(source, rows)], batchSize), (batch) => {
    position = { bytes: batch.end, line: batch.nextLine };
    return undefined;
  });
  const ending = isWhole ? 'dry run' : 'interrupted';
  const finding = { file, ending, position, totals: delivery.totals(), seconds: watched.seconds() } as const;
  return reportOf({ ...finding, looks: looks.looks() }, header, rows);
};
