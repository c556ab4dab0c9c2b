/** Rows of a warehouse as a source finds them. */
import { bounds } from '../bounds.ts';
import type { Found } from '../place.ts';
import type { Cell } from '../source.ts';
import type { Dialect } from './dialect.ts';
import { kindOf } from './statements.ts';
import type { Table } from './table.ts';

/** Moment, tie, bytes, then cells. */
export type Raw = readonly (string | null)[];

const leadingCells = 3;
const asText = (text: string): Cell => text;

export const foundIn = (dialect: Dialect, { columns }: Table): ((raw: Raw) => Found) => {
  const readers = columns.map((column) => [column.name, kindOf(dialect, column).read ?? asText] as const);
  return (raw) => {
    const [moment, tie, size] = raw;
    const bytes = Number(size);
    const cells = readers.map(([name, read], at) => {
      const text = raw[at + leadingCells];
      return [name, typeof text === 'string' ? read(text) : null] as const;
    });
    const row = bytes <= bounds.rowBytes ? Object.fromEntries(cells) : undefined;
    return { moment: moment ?? '', tie: tie ?? null, bytes, row };
  };
};
