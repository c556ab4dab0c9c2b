/**
 * A place in the order of (moment, tie), and its form as a cursor. Several rows may share both: then the place lies inside of
 * their group, and names the rows of the group that were read by their digests.
 */
import { createHash } from 'node:crypto';
import type { Cursor, Row } from './source.ts';

export interface Place {
  readonly moment: string;
  /** Undefined: before all rows of the moment. Null: a row without a value there. */
  readonly tie: string | null | undefined;
  /** Rows of this moment and tie may still come, except those in `seen`. */
  readonly isOpen: boolean;
  readonly seen: readonly string[];
}

/** A row as a source has found it. */
export interface Found {
  readonly moment: string;
  readonly tie: string | null;
  /** Of a table that is read by its keys: see keys.ts. */
  readonly key?: string | undefined;
  readonly bytes: number;
  readonly row: Row | undefined;
  /** The tie as people read it, where that is another text. */
  readonly id?: string | null;
  /** Why there is no row; without it the row is too large. */
  readonly problem?: string | undefined;
}

/** Cursors stay under 4 KB. */
const mostTieCharacters = 300;
/** The rest of a larger group is read again after an interruption, never missed. */
const mostSeen = 32;

/** Sources cut longer ties to this before they send them. */
export const tieCharactersRead = mostTieCharacters + 1;

const isLong = (tie: string): boolean =>
  tie.length > mostTieCharacters && [...tie].length > mostTieCharacters;
const cut = (tie: string): string => [...tie].slice(0, mostTieCharacters).join('');

const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);

export const digestOf = ({ row, bytes }: Found): string =>
  createHash('sha256')
    .update(JSON.stringify(row ?? bytes, plain))
    .digest('base64url')
    .slice(0, 12);

/** A long tie does not fit into a cursor: from its first characters on, rows are read again. */
export const placeAfter = ({ moment, tie }: Found, seen: readonly string[]): Place => {
  if (tie !== null && isLong(tie)) return { moment, tie: cut(tie), isOpen: true, seen: [] };
  // None is named after the last row of a group.
  return { moment, tie, isOpen: seen.length > 0, seen: seen.slice(0, mostSeen) };
};

export const toCursor = ({ moment, tie, isOpen, seen }: Place): Cursor => ({
  updatedAt: moment,
  tie: tie === undefined ? null : JSON.stringify(isOpen ? [tie, seen] : [tie]),
});

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const malformed = (): never => {
  throw new Error('this is no cursor of a source');
};

export const toPlace = ({ updatedAt, tie }: Cursor): Place => {
  if (tie === null) return { moment: updatedAt, tie: undefined, isOpen: true, seen: [] };
  const parsed: unknown = JSON.parse(tie);
  const [value, seen] = Array.isArray(parsed) ? parsed : malformed();
  if (value !== null && typeof value !== 'string') return malformed();
  return { moment: updatedAt, tie: value, isOpen: seen !== undefined, seen: isTexts(seen) ? seen : [] };
};

/** Moments as `2026-01-31T23:59:59.123456Z`: texts, because a Date has milliseconds only. */
const parts = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d{1,9})?Z$/;

const earliest = '0001-01-01T00:00:00Z';

/** The moment so many whole seconds earlier, with the same fraction. */
const secondsBefore = (moment: string, seconds: number): string => {
  const [, whole, fraction = ''] = parts.exec(moment) ?? [];
  if (!whole) throw new Error('no moment in this cursor');
  const earlier = Date.parse(`${whole}Z`) - Math.round(seconds) * 1_000;
  if (earlier < Date.parse(earliest)) return earliest;
  return `${new Date(earlier).toISOString().slice(0, 19)}${fraction}Z`;
};

/** Everything from that moment on. */
export const lookBack = (cursor: Cursor, seconds: number): Cursor => ({
  updatedAt: secondsBefore(cursor.updatedAt, seconds),
  tie: null,
});
