/** What an import would make of its file: each column with a sample, and the first rows. Nothing is sent. */
import { createReadStream } from 'node:fs';
import { stringifyExact } from '@roster/contract';
import { isRecord, type JsonObject } from '../json.ts';
import type { Result } from '../result.ts';
import { table } from '../shown.ts';
import { type Column, warningOf } from './csv-rows.ts';
import type { Row } from './row.ts';
import { columnsIn, type Format, headerOf, rowsOf } from './source.ts';

const mostRows = 3;
const longestSample = 60;

const position = { bytes: 0, line: 1 };

const firstRows = async (file: string, format: Format): Promise<Row[]> => {
  const rows: Row[] = [];
  for await (const row of rowsOf({ bytes: createReadStream(file), position, format })) {
    rows.push(row);
    if (rows.length === mostRows) break;
  }
  return rows;
};

const entryOf = ({ entries: [entry], given }: Row): JsonObject => given ?? entry?.value ?? {};

const sampleOf = (rows: readonly Row[], field: string): string => {
  const found = rows.flatMap((row) => {
    const entry = entryOf(row);
    const places = [entry, entry.properties, entry.user_alias].filter(isRecord);
    return places.flatMap((place) => (Object.hasOwn(place, field) ? [place[field]] : []));
  });
  const text = found.length > 0 ? stringifyExact(found[0]) : '';
  return text.length > longestSample ? `${text.slice(0, longestSample)}...` : text;
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
    SAMPLE: ({ field }) => field && sampleOf(rows, field),
  });

/** Of the first record of a file; only CSV has any. */
export const columnsOf = async (file: string, format: Format): Promise<Column[]> =>
  format.csv
    ? columnsIn(await headerOf({ bytes: createReadStream(file), position, format }), format.csv)
    : [];

export const dryRun = async (file: string, format: Format): Promise<Result> => {
  const rows = await firstRows(file, format);
  const columns = await columnsOf(file, format);
  return {
    json: {
      columns,
      first_rows: rows.map(({ line, entries, fault }) => ({ line, entries, ...(fault && { fault }) })),
    },
    text: [...(format.csv ? [columnTable(columns, rows), '\n'] : []), ...rows.map(shownRow)].join(''),
    notes: [warningOf(columns), 'Nothing was sent: this was a dry run.'],
  };
};
