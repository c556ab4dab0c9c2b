/** Rows while they are sorted, by moment, then by tie. */

import { compareKeys } from '../keys.ts';
import type { Found, Place } from '../place.ts';
import { type Packed, pack, unpack } from './packed.ts';

export interface FileRow extends Found {
  /** What its row was made from, if that is at hand. */
  readonly packed?: Packed | undefined;
}

export type Kept = Omit<FileRow, 'row' | 'id'>;

/** Written out, as below: it is done for each row. */
export const keep = ({ moment, tie, bytes, row, packed = row && pack(row), key, problem }: FileRow) => ({
  moment,
  tie,
  bytes,
  packed,
  key,
  problem,
});

export const rowOf = ({ moment, tie, bytes, packed, key, problem }: Kept): Found => ({
  moment,
  tie,
  bytes,
  row: packed === undefined ? undefined : unpack(packed),
  key,
  problem,
});

/** What it takes to keep a row: a character has up to two bytes. */
export const keptBytes = ({ packed, tie, problem }: Kept): number =>
  2 * ((packed?.length ?? 0) + (tie?.length ?? 0) + (problem?.length ?? 0)) + 300;

/** As names of members would be written with each row, rows go to disk without them. */
export const toCells = ({ moment, tie, bytes, packed, key, problem }: Kept) =>
  [moment, tie, bytes, packed, key, problem] as const;

export const fromCells = ([moment, tie, bytes, packed, key, problem]: ReturnType<typeof toCells>): Kept => ({
  moment,
  tie,
  bytes,
  packed,
  key,
  problem,
});

type Ordered = Pick<Found, 'moment' | 'tie'>;

/** Rows without a tie come first among those of their moment. */
export const compare = (a: Ordered, b: Ordered): number => {
  if (a.moment !== b.moment) return compareKeys(a.moment, b.moment);
  if (a.tie === null || b.tie === null) return Number(b.tie === null) - Number(a.tie === null);
  return compareKeys(a.tie, b.tie);
};

export const isAfter = (found: Found, { moment, tie, isOpen }: Place): boolean => {
  if (tie === undefined) return found.moment >= moment;
  const order = compare(found, { moment, tie });
  return isOpen ? order >= 0 : order > 0;
};
