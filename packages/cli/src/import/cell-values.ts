/** The value of a cell, by the type of its column. */
import { parseTime } from '@roster/contract';
import type { JsonObject } from '../json.ts';
import { exactJson } from './json-line.ts';

export const valueTypes = ['text', 'number', 'comma', 'boolean', 'date', 'json', 'guess'] as const;
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

/** `29.11.2026` becomes `2026-11-29`. With slashes the day may stand first or second. */
const dateIn = (cell: string): string | undefined => {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(cell) ?? [];
  const text = year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : cell;
  return parseTime(text) === undefined ? undefined : text;
};

const readers: Readonly<Record<ValueType, (cell: string) => JsonObject[string] | undefined>> = {
  text: (cell) => cell,
  number: (cell) => numberIn(cell.trim()),
  comma: (cell) => commaNumberIn(cell.trim()),
  boolean: (cell) => booleanIn(cell.trim()),
  date: (cell) => dateIn(cell.trim()),
  json: (cell) => exactJson(cell) as JsonObject[string] | undefined,
  guess: (cell) => (/^(true|false)$/i.test(cell) ? booleanIn(cell) : (numberIn(cell) ?? cell)),
};

/** `undefined`: the cell holds no such value. */
export const valueIn = (cell: string, type: ValueType): JsonObject[string] | undefined => readers[type](cell);
