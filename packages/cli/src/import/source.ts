/** The rows of a file or of standard input, read as they are needed. */
import { isUtf8 } from 'node:buffer';
import { cellsOf, createFraming, longestRecord, type RawRecord } from '@roster/records';
import { refuseAll, wrong } from '../result.ts';
import { readRow, textOf } from './csv-row.ts';
import { type Columns, type CsvOptions, columnsOf } from './csv-rows.ts';
import { checkHeader, checkKind } from './file-kind.ts';
import { type LineOptions, readJsonLine } from './json-line.ts';
import { type Entry, type Reading, type Row, unreadable } from './row.ts';
import { createRowsWithin, type RowsWithin } from './rows-within.ts';
import type { Position } from './totals.ts';

export interface CsvFormat extends CsvOptions {
  delimiter: string;
}

export type Format = { csv: CsvFormat } | ({ csv?: undefined } & LineOptions);

/** The first record of CSV. */
export interface Header extends Columns {
  raw: Buffer;
}

export interface SourceOptions {
  /** The bytes from `position` on. */
  bytes: AsyncIterable<Buffer>;
  position: Position;
  format: Format;
  /** When the bytes begin behind it. */
  header?: Header | undefined;
  onHeader?: ((header: Header) => void) | undefined;
  /** Called with the cells of each row that has as many as the header. */
  onCells?: ((cells: readonly string[]) => void) | undefined;
  /** Called with the entries of each line of NDJSON. */
  onEntries?: ((entries: readonly Entry[]) => void) | undefined;
}

async function* recordsOf({ bytes, position, format, header }: SourceOptions): AsyncGenerator<RawRecord> {
  const framing = createFraming({
    start: position.bytes,
    line: position.line,
    ...(format.csv && { delimiter: format.csv.delimiter, cells: header?.columns.length }),
  });
  for await (const chunk of bytes) yield* framing.push(chunk);
  yield* framing.end();
}

const rowOf = (record: RawRecord, found: Reading, keepsRaw: boolean): Row => ({
  line: record.line,
  nextLine: record.nextLine,
  start: record.start,
  end: record.end,
  ...found,
  ...((keepsRaw || found.fault) && { raw: record.raw }),
  ...(record.fault === 'rest' && { isRest: true }),
});

/** One JSON document over many lines would be refused line by line. */
const checkFirst = ({ bytes }: RawRecord, text: string): void => {
  checkKind(bytes);
  if (/^\s*(\[|\{\s*$)/.test(text))
    throw wrong(
      "this is one JSON document, not one object per line. jq makes lines of it: jq -c '.[]' people.json > people.ndjson",
    );
};

const jsonFault = ({ fault, bytes }: RawRecord): Reading | undefined => {
  if (fault) return unreadable('LINE_TOO_LONG', `the line is longer than ${longestRecord} bytes`);
  return isUtf8(bytes) ? undefined : unreadable('LINE_NOT_UTF8', 'the line is not valid UTF-8');
};

async function* jsonRows(options: SourceOptions, line: LineOptions): AsyncGenerator<Row> {
  for await (const record of recordsOf(options)) {
    const text = textOf(record);
    if (record.start === 0) checkFirst(record, text);
    if (text.trim() === '' && !record.fault) continue;
    const found = jsonFault(record) ?? readJsonLine(text, line);
    options.onEntries?.(found.entries);
    yield rowOf(record, found, false);
  }
}

/** What separates the columns of a header that would be one column. */
const otherDelimiter = (header: string): string | undefined =>
  [';', '\t', '|', ','].find((one) => (cellsOf(header, one)?.length ?? 0) > 1);

const oneColumn = (other: string): string =>
  `the first line is one column. Add --delimiter ${other === '\t' ? 'tab' : `'${other}'`} if that separates the columns.`;

const headerIn = (record: RawRecord, format: CsvFormat): Header => {
  checkKind(record.bytes);
  const text = textOf(record);
  checkHeader(record.bytes, text);
  const titles = cellsOf(text, format.delimiter);
  if (record.fault || !titles)
    throw wrong(
      'the first line must name the columns: a quote in it is not closed, or something follows it.',
    );
  const { problems, ...found } = columnsOf(titles, format);
  const other = problems.length > 0 && titles.length === 1 ? otherDelimiter(text) : undefined;
  refuseAll('the columns make no sense', other === undefined ? problems : [oneColumn(other)]);
  return { ...found, raw: record.raw };
};

async function* csvRows(options: SourceOptions, format: CsvFormat): AsyncGenerator<Row> {
  const { onHeader, onCells } = options;
  const { delimiter } = format;
  let { header } = options;
  let rows: RowsWithin | undefined;
  const read = (record: RawRecord, { columns, type }: Header): Reading => {
    const cells = cellsOf(textOf(record), delimiter);
    const row = { cells, columns, type, delimiter };
    if (cells?.length !== columns.length || record.fault) return readRow(record, row);
    onCells?.(cells);
    rows ??= createRowsWithin(columns.length, delimiter);
    return readRow(record, { ...row, within: rows.see(cells) });
  };
  for await (const record of recordsOf(options)) {
    if (record.bytes.length === 0) continue;
    if (header) yield rowOf(record, read(record, header), true);
    else {
      header = headerIn(record, format);
      onHeader?.(header);
    }
  }
}

export const rowsOf = (options: SourceOptions): AsyncGenerator<Row> => {
  const { format } = options;
  return format.csv ? csvRows(options, format.csv) : jsonRows(options, format);
};

/** The first record of a file of CSV, which names its columns. */
export const headerOf = async (options: SourceOptions, format: CsvFormat): Promise<Header> => {
  for await (const record of recordsOf(options)) if (record.bytes.length > 0) return headerIn(record, format);
  throw wrong('the file is empty: its first line must name the columns.');
};
