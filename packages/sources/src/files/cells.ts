/** What is found in the cells of a row: its moment and its tie. */
import type { Cell, Row } from '../source.ts';

export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Each row is a copy of it that is filled: that costs the least, and whatever name a column has is a member. */
export const emptyRowOf = (names: readonly string[]): { [name: string]: Cell } =>
  Object.fromEntries(names.map((name) => [name, null]));

const iso = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(\.\d{1,9})?)?(Z|[+-]\d\d(?::?\d\d)?)?$/;

/** As most writers write it. Days that not every month has are looked at more closely. */
const usual =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;

/** With full precision, in UTC, with nine digits, so that texts have the order of moments. What has no zone is taken for UTC. */
export const momentOf = (cell: Cell | undefined): string | undefined => {
  if (typeof cell === 'string' && usual.test(cell)) {
    const seconds = cell.slice(0, 19);
    return `${seconds}.${cell.slice(20, -1).padEnd(9, '0')}Z`;
  }
  const [, date, time = '00:00:00', fraction = '', zone = 'Z'] =
    (typeof cell === 'string' && iso.exec(cell)) || [];
  if (!date) return undefined;
  const offset = zone === 'Z' ? zone : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
  const ms = Date.parse(`${date}T${time}${offset}`);
  if (Number.isNaN(ms)) return undefined;
  return `${new Date(ms).toISOString().slice(0, 19)}.${fraction.slice(1).padEnd(9, '0')}Z`;
};

const nameOf = (row: Row, wanted: string): string | undefined => {
  if (Object.hasOwn(row, wanted)) return wanted;
  const alike = Object.keys(row).filter((name) => name.toLowerCase() === wanted.toLowerCase());
  return alike.length === 1 ? alike[0] : undefined;
};

export const cellOf = (row: Row, wanted: string): Cell | undefined => {
  const name = nameOf(row, wanted);
  return name === undefined ? undefined : row[name];
};

const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

export const tieOf = (cell: Cell | undefined): string | null => {
  if (cell === undefined || cell === null) return null;
  return typeof cell === 'object' ? JSON.stringify(cell, plain) : String(cell);
};
