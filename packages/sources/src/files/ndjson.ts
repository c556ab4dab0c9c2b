/** Lines of JSON. */
import { parseExact } from '@roster/contract';
import { attempted } from '../members.ts';
import { isRow } from './cells.ts';
import type { Format, Reading } from './reading.ts';
import { type FileRecord, recordsOf } from './records.ts';

/** Deeper ones would take the stack of whatever writes them. */
const mostDepth = 100;

const isDeep = (value: unknown, left: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (left === 0 || Object.values(value).some((one) => isDeep(one, left - 1)));

const rowIn = (record: FileRecord): Reading => {
  const { place, bytes, text } = record;
  if (text === undefined) return record;
  const row = attempted(() => parseExact(text), undefined);
  if (!isRow(row)) return { place, bytes, problem: 'is no object of JSON' };
  // Each level takes two characters.
  if (text.length > 2 * mostDepth && isDeep(row, mostDepth))
    return { place, bytes, problem: `is nested more than ${mostDepth} deep` };
  return { place, bytes, row, packed: text };
};

export const ndjson: Format = {
  endings: ['.ndjson', '.jsonl'],
  async *read(options) {
    for await (const records of recordsOf(options)) yield records.map(rowIn);
  },
};
