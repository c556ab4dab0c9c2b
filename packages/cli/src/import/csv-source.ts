/** The rows of a CSV file. */

import { cellsOf } from '@roster/records';
import { refuseAll } from '../result.ts';
import { type Column, columnsOf } from './csv-rows.ts';
import { readCells } from './csv-values.ts';
import { faultOf, recordsOf, rowOf, textOf } from './records.ts';
import { type Reading, type Row, unreadable } from './row.ts';
import type { CsvFormat, SourceOptions } from './source-options.ts';

const columnsIn = (header: string, format: CsvFormat): Column[] => {
  const { columns, problems } = columnsOf(cellsOf(header, format.delimiter) ?? [], format);
  refuseAll('the columns make no sense', problems);
  return columns;
};

const readRow = (text: string, columns: Column[], { delimiter, type }: CsvFormat): Reading => {
  const cells = cellsOf(text, delimiter);
  return cells
    ? readCells(cells, columns, type)
    : unreadable('QUOTES_WRONG', 'a quote is not closed, or something follows it');
};

export async function* csvRows(options: SourceOptions, format: CsvFormat): AsyncGenerator<Row> {
  let columns = options.header === undefined ? undefined : columnsIn(options.header, format);
  for await (const record of recordsOf(options)) {
    const text = textOf(record);
    if (text === '' && !record.isTooLong) continue;
    if (columns) yield rowOf(record, text, faultOf(record, true) ?? readRow(text, columns, format));
    else columns = columnsIn(text, format);
  }
}
