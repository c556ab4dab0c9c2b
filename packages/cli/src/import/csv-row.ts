/** A row of CSV, or why it cannot be read and what to do about it. */
import { isUtf8 } from 'node:buffer';
import { longestRecord, type RawRecord } from '@roster/records';
import { type Column, readCells } from './csv-rows.ts';
import type { EntryType } from './entry-kind.ts';
import { type Reading, unreadable } from './row.ts';
import type { Within } from './rows-within.ts';

export const textOf = (record: RawRecord): string => record.bytes.toString('utf8').replace(/^\uFEFF/, '');

interface RowOptions {
  type: EntryType;
  delimiter: string;
  /** `undefined`: its quotes are wrong. */
  cells: string[] | undefined;
  columns: readonly Column[];
  /** Whether its cells have rows. */
  within?: Within | undefined;
}

const newline = 0x0a;

/** ` (lines 5 to 7)` */
const placeOf = ({ raw, line, nextLine }: RawRecord): string => {
  const last = raw.at(-1) === newline ? nextLine - 1 : nextLine;
  return last > line ? ` (lines ${line} to ${last})` : '';
};

const backslashes =
  '. The file has backslashes before quotes, delimiters or line breaks, as MySQL writes them: in CSV, a quote in a cell is doubled, and a cell with a delimiter or a line break stands in quotes';

const nulls = `. The file has "N for no value, as MySQL writes it with ESCAPED BY '"': select IFNULL(column, '') instead`;

const hintOf = (text: string, delimiter: string): string => {
  if (text.includes('\\"') || text.includes(`\\${delimiter}`) || /\\\r?\n?$/.test(text)) return backslashes;
  const cells = text.split(delimiter).map((cell) => cell.trim());
  return cells.includes('"N') ? nulls : '';
};

const looksLikeRows = ({ cells = [], columns, type }: RowOptions): Reading => {
  const {
    entries: [entry],
  } = readCells(cells, columns, type);
  const sentence = `lines of a quoted cell have ${columns.length} cells, as a row has: is a quote not closed?`;
  return {
    ...unreadable('CELL_HAS_ROWS', sentence),
    ...(entry && { given: type === 'attributes' ? entry.value : { type, ...entry.value } }),
  };
};

const readingOf = (record: RawRecord, options: RowOptions): Reading => {
  const { fault, bytes } = record;
  const { cells, columns, type } = options;
  if (fault === 'rest') return unreadable('ROW_GOES_ON', 'the next part of the row before');
  if (fault === 'long')
    return unreadable(
      'LINE_TOO_LONG',
      `the row is longer than ${longestRecord} bytes; is a quote not closed?`,
    );
  if (!isUtf8(bytes))
    return unreadable(
      'LINE_NOT_UTF8',
      'the row is not valid UTF-8; iconv -f WINDOWS-1252 -t UTF-8 converts what Excel saves as plain CSV',
    );
  if (fault === 'quotes' || !cells)
    return unreadable('QUOTES_WRONG', 'a quote is not closed, or something follows it');
  const found = readCells(cells, columns, type);
  if (fault === 'rows' || (options.within === 'rows' && !found.fault)) return looksLikeRows(options);
  return found;
};

const doubtOf = (record: RawRecord, { columns }: RowOptions): string =>
  `was imported as one row; a line of a quoted cell has ${columns.length} cells, as a row has: is a quote not closed?${placeOf(record)}`;

export const readRow = (record: RawRecord, options: RowOptions): Reading => {
  const found = readingOf(record, options);
  if (!found.fault) return options.within ? { ...found, doubt: doubtOf(record, options) } : found;
  const { code, sentence } = found.fault;
  const isCut = code === 'QUOTES_WRONG' || code === 'CELLS_DO_NOT_MATCH';
  const hint = isCut ? hintOf(textOf(record), options.delimiter) : '';
  return { ...found, fault: { code, sentence: `${sentence}${placeOf(record)}${hint}` } };
};
