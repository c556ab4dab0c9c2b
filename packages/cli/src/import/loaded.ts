/** A row with its entries as they will be sent. */
import { stringifyExact } from '@roster/contract';
import type { JsonObject } from '../json.ts';
import type { ArrayName, Row } from './row.ts';

/** An entry as it will be sent. */
export interface Item {
  array: ArrayName;
  value: JsonObject;
  json: string;
  line: number;
}

/** A row with its entries as they will be sent. */
export interface Loaded {
  row: Row;
  items: Item[];
  bytes: number;
}

export const loaded = (row: Row): Loaded => {
  const items = row.entries.map(({ array, value }) => ({
    array,
    value,
    json: stringifyExact(value),
    line: row.line,
  }));
  return { row, items, bytes: items.reduce((sum, { json }) => sum + Buffer.byteLength(json) + 1, 0) };
};
