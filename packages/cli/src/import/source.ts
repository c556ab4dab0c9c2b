/** The rows of a file or of standard input, read as they are needed. */
import { wrong } from '../result.ts';
import { csvRows } from './csv-source.ts';
import { readJsonLine } from './json-line.ts';
import type { LineType } from './line-type.ts';
import { faultOf, recordsOf, rowOf, textOf } from './records.ts';
import type { Row } from './row.ts';
import type { SourceOptions } from './source-options.ts';

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

export const rowsOf = (options: SourceOptions): AsyncGenerator<Row> => {
  const { format } = options;
  return format.csv ? csvRows(options, format.csv) : jsonRows(options, format.type);
};

/** The first record of a file, which names its columns. */
export const headerOf = async (options: SourceOptions): Promise<string> => {
  for await (const record of recordsOf(options)) if (record.bytes.length > 0) return textOf(record);
  return '';
};
