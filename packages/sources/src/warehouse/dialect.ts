/** What differs between the SQL of warehouses: tables of types, and how names and values are written. */
import type { Cell } from '../source.ts';

/** A type of a column. Each cell is read as a text, so that nothing on the way rounds it. */
export interface Kind {
  /** The value as a text; the column itself unless told. */
  readonly text?: (column: string) => string;
  /** From that text; the text itself unless told. */
  readonly read?: (text: string) => Cell;
  /** Its values have a few bytes: they are not counted. */
  readonly isSmall?: boolean;
  /** How many bytes its text has; those of a text unless told. */
  readonly bytes?: (column: string) => string;
}

/** A type that `UPDATED_AT` may have. */
export interface MomentKind {
  /** As `2026-01-31T23:59:59.123456Z`, with all its digits. */
  readonly text: (column: string) => string;
  /** Of the type of the column, from the text that `bind` makes. */
  readonly value: (placeholder: string) => string;
  readonly bind?: (moment: string) => string;
  /** Moments without a zone are taken for UTC. */
  readonly hasZone: boolean;
}

/** A type of the column that tells rows apart. Rows come in the order of its text, whole numbers in that of the numbers. */
export interface TieKind {
  readonly text: (column: string) => string;
  /** Of whole numbers: the number in a text. */
  readonly whole?: (placeholder: string) => string;
}

export interface Dialect {
  readonly quote: (name: string) => string;
  /** What the server makes of a name without quotes, where quotes would keep it from that. */
  readonly folded?: (name: string) => string;
  /** Of the value at this place, counted from 1; one value may stand in several places. */
  readonly placeholder: (place: number) => string;
  readonly bytes: (text: string) => string;
  readonly kinds: Readonly<Record<string, Kind>>;
  readonly otherKind: Kind;
  readonly moments: Readonly<Record<string, MomentKind>>;
  readonly ties: Readonly<Record<string, TieKind>>;
}

/** A name such as `constructor` has no entry. */
export const entryOf = <Entry>(table: Readonly<Record<string, Entry>>, name: string): Entry | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

export const asItIs = (text: string): string => text;
export const dayOf = (moment: string): string => moment.slice(0, 10);
export const withoutZone = (moment: string): string => moment.replace('Z', '');

/** What is no JSON stays a text. */
export const json = (text: string): Cell => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
