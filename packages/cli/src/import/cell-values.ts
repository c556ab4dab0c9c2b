/** The value of a cell, by the type of its column. */
import { parseTime } from '@roster/contract';
import type { JsonObject } from '../json.ts';
import { isAmbiguous, isoDay, type Order, ordersOf } from './days.ts';
import { exactJson } from './json-line.ts';
import { holdsInfinite } from './wrong-json.ts';

export const valueTypes = [
  'text',
  'number',
  'comma',
  'boolean',
  'date',
  'date-dmy',
  'date-mdy',
  'json',
  'guess',
] as const;
export type ValueType = (typeof valueTypes)[number];

/** MySQL and psql write `\N` for NULL. */
export const isNothing = (cell: string): boolean => cell === '' || cell === '\\N';

const numberRule = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

export const numberIn = (cell: string): number | undefined => {
  const value = numberRule.test(cell) ? Number(cell) : Number.NaN;
  const isExact = !/^-?\d+$/.test(cell) || Number.isSafeInteger(value);
  return Number.isFinite(value) && isExact ? value : undefined;
};

/** `1.234,5`, as most of Europe writes it. */
export const commaNumberIn = (cell: string): number | undefined =>
  /^-?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?$/.test(cell)
    ? numberIn(cell.replaceAll('.', '').replace(',', '.'))
    : undefined;

const words: Readonly<Record<string, boolean>> = {
  ...{ true: true, t: true, yes: true, y: true, 1: true },
  ...{ false: false, f: false, no: false, n: false, 0: false },
};

export const booleanIn = (cell: string): boolean | undefined =>
  Object.hasOwn(words, cell.toLowerCase()) ? words[cell.toLowerCase()] : undefined;

/** `29/11/2026` becomes `2026-11-29`; other times stay as they are. */
const orderedDate =
  (order: Order) =>
  (text: string): string | undefined => {
    const cell = text.trim();
    const isOther = ordersOf(cell).length === 0 && parseTime(cell) !== undefined;
    return isOther ? cell : isoDay(cell, order);
  };

/** `29.11.2026` becomes `2026-11-29`. With slashes or dashes, the day may stand first or second: such a cell is refused. */
const dateIn = (text: string): string | undefined => {
  const cell = text.trim();
  if (isAmbiguous(cell)) return undefined;
  return orderedDate(cell.includes('.') ? 'dmy' : 'mdy')(cell);
};

const jsonIn = (cell: string): JsonObject[string] | undefined => {
  const value = exactJson(cell) as JsonObject[string] | undefined;
  return holdsInfinite(value) ? undefined : value;
};

const readers: Readonly<Record<ValueType, (cell: string) => JsonObject[string] | undefined>> = {
  text: (cell) => cell,
  number: (cell) => numberIn(cell.trim()),
  comma: (cell) => commaNumberIn(cell.trim()),
  boolean: (cell) => booleanIn(cell.trim()),
  date: dateIn,
  'date-dmy': orderedDate('dmy'),
  'date-mdy': orderedDate('mdy'),
  json: jsonIn,
  guess: (cell) => (/^(true|false)$/i.test(cell) ? booleanIn(cell) : (numberIn(cell) ?? cell)),
};

/** `undefined`: the cell holds no such value. */
export const valueIn = (cell: string, type: ValueType): JsonObject[string] | undefined => readers[type](cell);
