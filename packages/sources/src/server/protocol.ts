/** What the servers of tables have in common, and what each adds: how it is spoken with. */
import type { Limits } from '../bounds.ts';
import { timedOut } from '../network-errors.ts';
import type { Find } from '../pages.ts';
import type { Found, Place } from '../place.ts';
import type { Order } from '../settings.ts';
import type { Column } from '../source.ts';
import type { SourceError } from '../source-error.ts';

/** A connection. */
export interface Session {
  /** Ends it at once. */
  drop(): void;
  /** Ends its transaction and takes leave, where a server would complain otherwise. */
  end?(): Promise<unknown>;
}

export interface Wanted extends Order {
  readonly table: string;
}

/** How long rows are waited for: `firstMs` before the first one, `silenceMs` later; and how many of them, where the server sorts a whole result. */
export interface Waiting extends Pick<Limits, 'statementRows' | 'silenceMs'> {
  readonly firstMs: number;
  /** Its abort drops the session. */
  readonly end: AbortSignal;
}

/** Its columns may say more than name and type. */
export interface WithColumns {
  readonly columns: readonly Column[];
}

export interface Protocol<S extends Session, Table extends WithColumns> {
  /** Host and port, for messages. */
  readonly at: string;
  /** Whether the server keeps the result of a statement: then reading it slowly holds up nothing there. */
  readonly keepsResults?: boolean;
  /** A connection that is being made. `statementMs` is the limit that the server keeps. */
  connect(limits: Limits): S;
  /** Waits for it, and makes it read only. */
  begin(session: S, statementMs: number): Promise<unknown>;
  toSourceError(error: unknown): SourceError;
  /** Any table, before it is known in which order it is read. */
  look(session: S, table: string): Promise<WithColumns>;
  /** The table with its columns, as far as they can be read in this order. */
  find(session: S, wanted: Wanted): Promise<Table>;
  /** Any rows, as to sort a large table for three of them costs too much. */
  sample(session: S, table: Table): Promise<readonly Found[]>;
  /** A value of the tie that several rows have, among a bounded number of any rows. */
  repeated?(session: S, table: Table): Promise<string | undefined>;
  estimate(session: S, table: Table, since: Place | undefined): Promise<number | undefined>;
  /** How many rows have no moment, of a table that is read by moments: up to a bound. */
  timeless?(session: S, table: Table): Promise<number | undefined>;
  /** As in the clock of a source, where the server can tell. */
  lag?(session: S, mostSeconds: number | undefined): Promise<number | undefined>;
  /** The same, of a table that is read by moments. */
  now?(session: S, table: Table): Promise<string | undefined>;
  /** In order. Constant memory: the socket is paused while nobody takes rows. */
  rows(session: S, table: Table, since: Place | undefined, waiting: Waiting): ReturnType<Find>;
}

/** A peer that never answers is dropped. Whatever becomes of the work then, nobody waits for it. */
export const within = async <T>(ms: number, at: string, { drop }: Session, work: () => Promise<T>) => {
  const working = work();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      drop();
      reject(timedOut(at));
    }, ms);
  });
  try {
    return await Promise.race([working, late]);
  } catch (error) {
    drop();
    // After its time it has told already.
    working.catch(() => {});
    throw error;
  } finally {
    clearTimeout(timer);
  }
};
