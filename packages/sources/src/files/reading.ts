/** A row of a file as its format gives it, or why there is none. */
import { tooLarge } from '../pages.ts';
import type { Row } from '../source.ts';
import type { Packed } from './packed.ts';
import type { FileStore, StoredFile } from './store.ts';

export interface Reading {
  /** For people: `users.csv, line 7`. */
  readonly place: string;
  readonly bytes: number;
  readonly row?: Row | undefined;
  /** What the row was made from, where that gives it again. */
  readonly packed?: Packed;
  /** Without it and without a row, the row is too large. */
  readonly problem?: string | undefined;
}

export const problemOf = ({ place, bytes, problem }: Reading): string =>
  problem === undefined ? `${place}: ${tooLarge(bytes)}` : `${place} ${problem}`;

export interface ReadFile {
  readonly store: FileStore;
  readonly file: StoredFile;
  /** The columns that are needed, for formats that can leave others out; all, unless told. */
  readonly columns: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

export interface Format {
  readonly endings: readonly string[];
  /** Some rows at a time. What is wrong with a file is a reading; what is wrong with its store is an error. */
  read(options: ReadFile): AsyncIterable<readonly Reading[]>;
}
