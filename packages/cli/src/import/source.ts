/** The rows of a file or of standard input, read as they are needed. */
import { isUtf8 } from 'node:buffer';
import { cellsOf, createFraming, longestRecord, type RawRecord } from '@roster/records';
import { refuseAll, wrong } from '../result.ts';
import { type Column, type CsvOptions, columnsOf, readCells } from './csv-rows.ts';
import { type LineType, readJsonLine } from './json-line.ts';
import { type Reading, type Row, unreadable } from './row.ts';
import type { Position } from './totals.ts';

export interface CsvFormat extends CsvOptions {
  delimiter: string;
}

/** `type`: the kind of every line of NDJSON. */
export type Format = { csv: CsvFormat } | { csv?: undefined; type?: LineType | undefined };

export interface SourceOptions {
  /** The bytes from `position` on. */
  bytes: AsyncIterable<Buffer>;
  position: Position;
  format: Format;
  /** Of the first record, when the bytes begin behind it. */
  columns?: Column[] | undefined;
}

async function* recordsOf({ bytes, position, format }: SourceOptions): AsyncGenerator<RawRecord> {
  const framing = createFraming({
    start: position.bytes,
    line: position.line,
    ...(format.csv && { delimiter: format.csv.delimiter }),
  });
  for await (const chunk of bytes) yield* framing.push(chunk);
  yield* framing.end();
}

const faultOf = ({ isTooLong, bytes }: RawRecord, isCsv: boolean): Reading | undefined => {
  const hint = isCsv ? '; is a quote not closed?' : '';
  if (isTooLong) return unreadable('LINE_TOO_LONG', `the row is longer than ${longestRecord} bytes${hint}`);
  return isUtf8(bytes) ? undefined : unreadable('LINE_NOT_UTF8', 'the row is not valid UTF-8');
};

const mostText = 10_000;

const rowOf = ({ line, nextLine, start, end }: RawRecord, text: string, found: Reading): Row => ({
  line,
  nextLine,
  start,
  end,
  ...found,
  ...(found.fault && { text: text.slice(0, mostText) }),
});

const textOf = (record: RawRecord): string => record.bytes.toString('utf8').replace(/^\uFEFF/, '');

/** One JSON document over many lines would be refused line by line. */
const checkFirst = (text: string): void => {
  if (/^\s*(\[|\{\s*$)/.test(text))
    throw wrong(
      "this is one JSON document, not one object per line. jq makes lines of it: jq -c '.[]' people.json > people.ndjson",
    );
};

async function* jsonRows(options: SourceOptions, type: LineType | undefined): AsyncGenerator<Row> {
  for await (const record of recordsOf(options)) {
    const text = textOf(record);
    if (record.start === 0) checkFirst(text);
    if (text.trim() === '' && !record.isTooLong) continue;
    yield rowOf(record, text, faultOf(record, false) ?? readJsonLine(text, type));
  }
}

/** What separates the columns of a header that would be one column. */
const otherDelimiter = (header: string): string | undefined =>
  [';', '\t', '|', ','].find((one) => (cellsOf(header, one)?.length ?? 0) > 1);

const oneColumn = (other: string): string =>
  `the first line is one column. Add --delimiter ${other === '\t' ? 'tab' : `'${other}'`} if that separates the columns.`;

export const columnsIn = (header: string, format: CsvFormat): Column[] => {
  const { columns, problems } = columnsOf(cellsOf(header, format.delimiter) ?? [], format);
  const other = problems.length > 0 && columns.length === 1 ? otherDelimiter(header) : undefined;
  refuseAll('the columns make no sense', other === undefined ? problems : [oneColumn(other)]);
  return columns;
};

const readRow = (text: string, columns: Column[], { delimiter, type }: CsvFormat): Reading => {
  const cells = cellsOf(text, delimiter);
  return cells
    ? readCells(cells, columns, type)
    : unreadable('QUOTES_WRONG', 'a quote is not closed, or something follows it');
};

async function* csvRows(options: SourceOptions, format: CsvFormat): AsyncGenerator<Row> {
  let { columns } = options;
  for await (const record of recordsOf(options)) {
    const text = textOf(record);
    if (text === '' && !record.isTooLong) continue;
    if (columns) yield rowOf(record, text, faultOf(record, true) ?? readRow(text, columns, format));
    else columns = columnsIn(text, format);
  }
}

export const rowsOf = (options: SourceOptions): AsyncGenerator<Row> => {
  const { format } = options;
  return format.csv ? csvRows(options, format.csv) : jsonRows(options, format.type);
};

/** The first record of a file, which names its columns. */
export const headerOf = async (options: SourceOptions): Promise<string> => {
  for await (const record of recordsOf(options)) if (record.bytes.length > 0) return textOf(record);
  return '';
};
