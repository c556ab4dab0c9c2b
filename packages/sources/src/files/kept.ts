/** Rows while they are sorted. */
import type { Found } from '../place.ts';
import { type Packed, pack, unpack } from './packed.ts';

export interface FileRow extends Found {
  /** What its row was made from, if that is at hand. */
  readonly packed?: Packed | undefined;
}

export type Kept = Omit<FileRow, 'row'>;

export const keep = ({ row, packed = row && pack(row), ...found }: FileRow): Kept => ({ ...found, packed });

export const rowOf = ({ packed, ...found }: Kept): Found => ({
  ...found,
  row: packed === undefined ? undefined : unpack(packed),
});

/** What it takes to keep a row: a character has up to two bytes. */
export const keptBytes = ({ packed, tie, problem }: Kept): number =>
  2 * ((packed?.length ?? 0) + (tie?.length ?? 0) + (problem?.length ?? 0)) + 300;
