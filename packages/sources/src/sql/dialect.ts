/** What differs between the SQL of servers: tables of types, and how names and values are written. */
import type { Cell, Column } from '../source.ts';

export interface SqlColumn extends Column {
  /** As the dialect names its type. */
  readonly kind: string;
}

type InSql = (column: string) => string;

/** Writes a value into a statement. */
type Bind = (value: string) => string;

/** A type of a column. Each cell is read as a text, so that nothing on the way rounds it. */
export interface Kind {
  /** The value as a text; the column itself unless told. */
  readonly text?: InSql;
  /** From that text; the text itself unless told. */
  readonly read?: (text: string) => Cell;
  /** Its values have a few bytes: they are not counted, and always sent. */
  readonly isSmall?: boolean;
  /** How many bytes its text has; those of a text unless told. */
  readonly bytes?: InSql;
}

/** A type that `UPDATED_AT` may have. */
export interface MomentKind {
  /** As `2026-01-31T23:59:59.123456Z`, with all its digits. */
  readonly text: InSql;
  /** Of the type of the column, from the text that `bind` makes. */
  readonly value: (placeholder: string) => string;
  readonly bind?: (moment: string) => string;
  /** Moments without a zone are taken for UTC. */
  readonly hasZone: boolean;
  /** A moment is the begin of its day. */
  readonly isDay?: boolean;
}

/** A type of the column that tells rows apart. */
export interface TieKind {
  /** Ties that are equal must be the same text. */
  readonly text: InSql;
  /** Rows come in the order of its text, unless told. That of keys must be known here too: it is that of texts or whole numbers. */
  readonly order?: InSql;
  readonly isWhole?: boolean;
  readonly value?: (tie: string, bind: Bind) => string;
}

/** The parts of a statement that reads rows. */
interface Parts {
  /** What is selected of a row, where its bytes are called so. */
  readonly cells: (bytes: string) => string;
  readonly bytes: string;
  readonly from: string;
  /** Order and limit. */
  readonly rest: string;
}

export interface Dialect<C extends SqlColumn = SqlColumn> {
  readonly quote: (name: string) => string;
  /** What the server makes of a name without quotes, where quotes would keep it from that. */
  readonly folded?: (name: string) => string;
  /** For one statement, with the values that go along with it. */
  readonly binder: (values: string[]) => Bind;
  readonly bytes: InSql;
  readonly smallBytes: number;
  /** Whether rows without a tie come first or last among those of their moment. */
  readonly nulls: 'first' | 'last';
  readonly kindOf: (column: C) => Kind;
  readonly momentOf: (column: C) => MomentKind | undefined;
  /** `isKey`: rows are read in its order alone. */
  readonly tieOf: (column: C, isKey: boolean) => TieKind | undefined;
  /** Before it are no moments. */
  readonly earliest: string;
  /** The time of the server; that of this process unless told. */
  readonly now?: (hasZone: boolean) => string;
  /** Selects the earliest that it may be now for those who write moments without a zone: in UTC, or in a zone of the server. UTC of this process unless told. */
  readonly clock?: string;
  /** What may order rows, and what a user may not see, in words. */
  readonly says: { readonly moment: string; readonly tie: string; readonly hidden: string };
  readonly select: (parts: Parts) => string;
  /** What selects the number of rows, or explains how many there are about; and that number in the answer. */
  readonly count: { readonly select: string; readonly read: (answer: string) => number | undefined };
  /** By what equal ties are grouped, where it costs little. */
  readonly tieGroup?: string;
}

export const asItIs = (text: string): string => text;
