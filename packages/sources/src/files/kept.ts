/** Rows while they are sorted: their cells as bytes, as objects may take ten times the memory of the text that they come from. */
import { deserialize, serialize } from 'node:v8';
import type { Found } from '../place.ts';

export interface Kept {
  readonly moment: string;
  readonly tie: string | null;
  readonly key?: string;
  readonly bytes: number;
  readonly problem?: string;
  readonly cells?: Uint8Array;
}

export const keep = ({ row, ...found }: Found): Kept => (row ? { ...found, cells: serialize(row) } : found);

export const rowOf = ({ cells, ...kept }: Kept): Found => ({
  ...kept,
  // It has written them itself.
  row: cells && (deserialize(cells) as Found['row']),
});

/** What it takes to keep a row. */
export const keptBytes = ({ cells, tie, problem }: Kept): number =>
  (cells?.length ?? 0) + 2 * (tie?.length ?? 0) + 2 * (problem?.length ?? 0) + 300;
