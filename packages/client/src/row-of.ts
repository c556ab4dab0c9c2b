import { type Known, table } from './table.ts';

const rows: ReadonlyMap<string, Known> = new Map(table.map((row) => [row.id, row]));

export const rowOf = (id: string): Known => {
  const row = rows.get(id);
  if (!row) throw new TypeError(`${id} is not an operation`);
  return row;
};
