/** The records of a source as rows, readable or not. */
import { isUtf8 } from 'node:buffer';
import { createFraming, longestRecord, type RawRecord } from '@roster/records';
import { type Reading, type Row, unreadable } from './row.ts';
import type { SourceOptions } from './source-options.ts';

export async function* recordsOf({ bytes, position, format }: SourceOptions): AsyncGenerator<RawRecord> {
  const framing = createFraming({
    start: position.bytes,
    line: position.line,
    ...(format.csv && { delimiter: format.csv.delimiter }),
  });
  for await (const chunk of bytes) yield* framing.push(chunk);
  yield* framing.end();
}

export const faultOf = ({ isTooLong, bytes }: RawRecord, isCsv: boolean): Reading | undefined => {
  const hint = isCsv ? '; is a quote not closed?' : '';
  if (isTooLong) return unreadable('LINE_TOO_LONG', `the row is longer than ${longestRecord} bytes${hint}`);
  return isUtf8(bytes) ? undefined : unreadable('LINE_NOT_UTF8', 'the row is not valid UTF-8');
};

const mostText = 10_000;

export const rowOf = ({ line, nextLine, start, end }: RawRecord, text: string, found: Reading): Row => ({
  line,
  nextLine,
  start,
  end,
  ...found,
  ...(found.fault && { text: text.slice(0, mostText) }),
});

export const textOf = (record: RawRecord): string => record.bytes.toString('utf8').replace(/^\uFEFF/, '');
