/** What the thread that reads a Parquet file and the one that opened it say to each other. They cross a border, so they are plain data. */
import { megabytes } from '../bounds.ts';
import type { Packed } from '../files/packed.ts';

export interface ThreadData {
  readonly bytes: number;
  readonly columns: readonly string[] | undefined;
  /** The row group with which it begins. */
  readonly group: number;
}

/** By columns, which is the cheapest to send. */
export interface ReadRows {
  /** The number of the first of them in the file, which begins with 1. */
  readonly first: number;
  readonly bytes: readonly number[];
  /** Nothing of a row that is too large. */
  readonly packed: readonly (Packed | undefined)[];
}

/** One at a time; each is answered by the bytes, or by nothing. */
export type Question =
  | { readonly kind: 'bytes'; readonly from: number; readonly to: number }
  | { readonly kind: 'rows'; readonly group: number; readonly rows: ReadRows }
  | { readonly kind: 'end'; readonly problem?: string };

/** What the bounds of a Parquet file are for: its decoder holds in memory what they leave. */
export const parquetBounds = {
  footerBytes: 2_097_152,
  /** Of the columns that are needed, as they lie in the file. */
  groupBytes: 67_108_864,
  /** Of a page, when it is no longer compressed. */
  pageBytes: 33_554_432,
  pageValues: 4_194_304,
  /** Decoded at a time, about. */
  sliceBytes: 4_194_304,
  sliceRows: 10_000,
  /** More rows than these, of a table with few columns. */
  sliceCells: 500_000,
  /** Told at a time. */
  toldRows: 1_000,
  heapMb: 128,
  /** Of silence in its thread. */
  threadMs: 60_000,
} as const;

/** Throws where a file would take more memory than it may. */
export const assertFits = (what: string, bytes: number, most: number, advice = ''): void => {
  if (bytes >= 0 && bytes <= most) return;
  throw new Error(
    `${what} of it has ${megabytes(bytes)}, and may have ${megabytes(most)}${advice && `: ${advice}`}`,
  );
};
