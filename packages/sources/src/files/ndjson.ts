/** Lines of JSON. */
import { parseExact } from '@roster/contract';
import type { Row } from '../source.ts';
import { isRow } from './cells.ts';
import type { Format } from './reading.ts';
import { recordsOf } from './records.ts';

/** Deeper ones would take the stack of whatever writes them. */
const mostDepth = 100;

const isDeep = (value: unknown, left: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (left === 0 || Object.values(value).some((one) => isDeep(one, left - 1)));

const parsed = (text: string): unknown => {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
};

const rowIn = (text: string): { row: Row } | { problem: string } => {
  const value = parsed(text);
  if (!isRow(value)) return { problem: 'is no object of JSON' };
  return isDeep(value, mostDepth) ? { problem: `is nested more than ${mostDepth} deep` } : { row: value };
};

export const ndjson: Format = {
  endings: ['.ndjson', '.jsonl'],
  async *read(options) {
    for await (const { text, ...record } of recordsOf(options))
      yield text === undefined ? record : { ...record, ...rowIn(text) };
  },
};
