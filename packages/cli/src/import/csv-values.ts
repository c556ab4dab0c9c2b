/** The entry of a row of CSV: the values of its cells, by the types of the columns. */
import { type JsonObject, parsedJson } from '../json.ts';
import { type Column, type CsvOptions, own, type ValueType } from './csv-rows.ts';
import { arrayOf } from './json-line.ts';
import { type Reading, reading, unreadable } from './row.ts';

const numberRule = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

const numberIn = (cell: string): number | undefined => {
  const value = numberRule.test(cell) ? Number(cell) : Number.NaN;
  const isExact = !/^-?\d+$/.test(cell) || Number.isSafeInteger(value);
  return Number.isFinite(value) && isExact ? value : undefined;
};

const words: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false };

const readers: Readonly<Record<ValueType, (cell: string) => JsonObject[string] | undefined>> = {
  text: (cell) => cell,
  number: (cell) => numberIn(cell.trim()),
  boolean: (cell) => words[cell.trim().toLowerCase()],
  json: (cell) => parsedJson(cell) as JsonObject[string] | undefined,
  guess: (cell) => (/^(true|false)$/i.test(cell) ? words[cell.toLowerCase()] : (numberIn(cell) ?? cell)),
};

type Pair = [string, JsonObject[string]];

const withAlias = (pairs: Pair[]): Pair[] => {
  const isPart = ([field]: Pair) => field === 'alias_name' || field === 'alias_label';
  const parts = pairs.filter(isPart);
  const rest = pairs.filter((pair) => !isPart(pair));
  return parts.length > 0 ? [['user_alias', Object.fromEntries(parts)], ...rest] : rest;
};

const entryOf = (pairs: Pair[], type: CsvOptions['type']): JsonObject => {
  if (type === 'attributes') return Object.fromEntries(withAlias(pairs));
  const mine = pairs.filter(([field]) => own[type].has(field));
  const properties = pairs.filter(([field]) => !own[type].has(field));
  const more: Pair[] = properties.length > 0 ? [['properties', Object.fromEntries(properties)]] : [];
  return Object.fromEntries([...withAlias(mine), ...more]);
};

/** Empty cells are left out. */
export const readCells = (
  cells: readonly string[],
  columns: readonly Column[],
  type: CsvOptions['type'],
): Reading => {
  const [count, wanted] = [cells.length, columns.length];
  if (count !== wanted)
    return unreadable('CELLS_DO_NOT_MATCH', `the row has ${count} cells, the header ${wanted}`);
  const pairs: Pair[] = [];
  for (const [i, column] of columns.entries()) {
    const cell = cells[i] ?? '';
    if (cell === '' || column.field === '') continue;
    const value = readers[column.type](cell);
    if (value === undefined)
      return unreadable('CELL_INVALID', `${column.title} is not a ${column.type} value`);
    pairs.push([column.field, value]);
  }
  return reading([{ array: arrayOf[type], value: entryOf(pairs, type) }]);
};
