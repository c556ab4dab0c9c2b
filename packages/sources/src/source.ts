/** What every source does, whatever kind of server or file is behind it. */

/**
 * A value in plain form: texts, finite numbers, whole numbers beyond 2^53 as bigint, booleans, null, moments as ISO 8601
 * texts with up to 9 digits, and JSON columns as parsed values.
 */
export type Cell =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly Cell[]
  | { readonly [name: string]: Cell };

export type Row = Readonly<Record<string, Cell>>;

export interface Column {
  readonly name: string;
  readonly type: string;
}

/**
 * The place after a row: its moment with full precision, and what decides between rows of one moment. Opaque outside of
 * the source. Its JSON has at most 4 KB.
 */
export interface Cursor {
  /** Empty where the table is read by its keys. */
  readonly updatedAt: string;
  readonly tie: string | null;
  /** Of a table that is read by its keys: the key of the row, as a text that can be compared (`compareKeys`). */
  readonly key?: string;
}

/** A row, or why it is not read: such a row never stops the others. `id` is the value of the tie column, cut if it is long. */
export type PageRow = { readonly cursor: Cursor } & (
  | { readonly row: Row; readonly problem?: undefined }
  | { readonly problem: string; readonly id: string | null; readonly row?: undefined }
);

export interface Page {
  readonly rows: readonly PageRow[];
}

export interface ReadOptions {
  /** Rows after it, in the order of UPDATED_AT and tie; of the tie alone where the table is read by its keys. */
  readonly since: Cursor | undefined;
  /** A page has at most so many rows and bytes. A row that is larger than `pageBytes` stands alone. */
  readonly pageRows: number;
  readonly pageBytes: number;
  readonly signal: AbortSignal;
  /** Waited for between two pieces of work that take this process itself. */
  readonly rest?: (() => Promise<void>) | undefined;
  /** Of files: `told` is how many rows of those that came or changed since `before` lie before `since`. It is told before the first page. */
  readonly late?: { readonly before: Date; told(rows: number): void } | undefined;
}

/** Rows that no reading gives. */
interface Missed {
  /** Without a moment; a million at most is counted. */
  readonly timeless?: number | undefined;
  /** In files that came or changed since `before`: with a moment before the place from which rows are read. */
  readonly late?: number | undefined;
}

/** What the server says of time. */
interface Clock {
  /**
   * How many seconds ago the oldest transaction began that may still commit rows; undefined where the source can't tell. Of a prepared
   * transaction servers don't tell the begin: it lies no further back than was asked, if that is known.
   */
  readonly lag?: number | undefined;
  /**
   * Where the moments have no zone: the earliest that it may be now for those who write. Rows of a later moment are read, but the mark up to
   * which rows were read may not pass it: others would write rows before it. Undefined where no row is read before its moment.
   */
  readonly now?: string | undefined;
}

export interface Source {
  /** Says in words, as a `SourceError`, what has to change before rows can be read; else shows up to three rows. */
  test(): Promise<{
    readonly columns: readonly Column[];
    readonly sample: readonly Row[];
    /** A value of the tie that several of the first 100,000 rows have, where the source can tell. */
    readonly repeated?: string | undefined;
  }>;
  /** How many rows come after the cursor, about; undefined where the source can't tell cheaply. */
  estimate(since: Cursor | undefined, signal: AbortSignal): Promise<number | undefined>;
  clock(signal: AbortSignal, mostSeconds?: number): Promise<Clock>;
  /** Counts rows that are not read, where that is cheap; of files, which it reads for it, only those since `before`. */
  missed?(since: Cursor | undefined, before: Date | undefined, signal: AbortSignal): Promise<Missed>;
  /** Reads in constant memory, as fast as the caller pulls. */
  pages(options: ReadOptions): AsyncIterable<Page>;
  /** A cursor that lies a window before, for rows that commit late. */
  lookBack(cursor: Cursor, seconds: number): Cursor;
  /** Ends what is open. */
  close(): Promise<void>;
}
