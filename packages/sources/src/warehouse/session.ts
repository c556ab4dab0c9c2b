/** A session with a warehouse, and the table in it. */
import { SourceError } from '../source-error.ts';
import { tableParts } from '../sql/table-name.ts';
import type { Dialect } from './dialect.ts';
import type { Raw } from './rows.ts';
import type { Statement } from './statements.ts';
import { type Table, tableIn, type Wanted, type WarehouseColumn } from './table.ts';

interface NamedTable {
  readonly parts: readonly string[];
  readonly quotedName: string;
}

export interface Session {
  /** Undefined where there is no such table. */
  columns(table: NamedTable, signal: AbortSignal): Promise<readonly WarehouseColumn[] | undefined>;
  /** Ends what the server does for the statement when its caller stops, or after the time. After `more`, its last word, the server has cut the result. */
  rows(statement: Statement, ms: number, signal: AbortSignal): AsyncIterable<readonly Raw[] | 'more'>;
  close(): Promise<void>;
}

export interface Warehouse {
  readonly dialect: Dialect;
  /** Whether the result of a statement is stored: then reading it slowly holds up nothing in the server. */
  readonly keepsResults: boolean;
  connect(signal: AbortSignal): Promise<Session>;
  toSourceError(error: unknown): SourceError;
}

type Question<T> = (session: Session, table: Table) => Promise<T>;

export const createSessions = (warehouse: Warehouse, wanted: Wanted, closing: AbortSignal) => {
  const { dialect } = warehouse;
  let opening: Promise<Session> | undefined;

  /** One attempt for all who ask at once; the next one begins anew. */
  const connected = (): Promise<Session> => {
    opening ??= warehouse.connect(closing).catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const tableBy = async (session: Session, signal: AbortSignal): Promise<Table> => {
    for (const parts of dialect.tables(tableParts(wanted.table))) {
      const quotedName = parts.map(dialect.quote).join('.');
      const columns = await session.columns({ parts, quotedName }, signal);
      if (columns) return tableIn(dialect, wanted, quotedName, columns);
    }
    throw new SourceError('table_missing', `there is no table ${wanted.table}, or the user may not see it`);
  };
  const open = async (signal: AbortSignal) => {
    const session = await connected();
    return { session, table: await tableBy(session, signal) };
  };
  const inWords = (error: unknown, signal: AbortSignal): unknown =>
    signal.aborted ? signal.reason : warehouse.toSourceError(error);

  return {
    open,
    inWords,
    async ask<T>(question: Question<T>): Promise<T> {
      try {
        const { session, table } = await open(closing);
        return await question(session, table);
      } catch (error) {
        throw inWords(error, closing);
      }
    },
    async close(): Promise<void> {
      const session = await opening?.catch(() => undefined);
      await session?.close();
    },
  };
};
