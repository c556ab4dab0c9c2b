/** Tables and views of PostgreSQL. */
import type { QueryResult } from 'pg';
import { bounds } from '../bounds.ts';
import { graceMs, type Limits } from '../limits.ts';
import { wasLost } from '../network-errors.ts';
import { readPages } from '../pages.ts';
import { lookBack, type Place, toPlace } from '../place.ts';
import type { PostgresqlSettings, PostgresqlTable } from '../settings.ts';
import type { Column, Source } from '../source.ts';
import { readAddress } from '../sql/address.ts';
import { toSourceError } from './errors.ts';
import { foundIn, streamRows } from './rows.ts';
import { openSession, type Session, within } from './session.ts';
import { estimateRows, oldestTransaction, readRows, type Statement, sampleRows } from './statements.ts';
import { findTable, readTable, type Table } from './table.ts';

const rowsOf = ({ client }: Session, { text, values }: Statement): Promise<QueryResult<(string | null)[]>> =>
  client.query({ text, values: [...values], rowMode: 'array' });

const plannedRows = (answer: string | null | undefined): number | undefined => {
  const [explained]: { Plan?: { 'Plan Rows'?: unknown } }[] = JSON.parse(answer ?? '[]');
  const rows = explained?.Plan?.['Plan Rows'];
  return typeof rows === 'number' ? rows : undefined;
};

const columnsOf = ({ columns }: Pick<Table, 'columns'>): readonly Column[] =>
  columns.map(({ name, type }) => ({ name, type }));

/** Connections to the server: each for one question, or for one statement that reads rows. */
const createAsking = (settings: PostgresqlTable, limits: Partial<Limits>) => {
  const address = readAddress(settings.url, ['postgresql:', 'postgres:'], 5432);
  const { connectMs, questionMs } = { ...bounds, ...limits };
  const closing = new AbortController();

  /** A connection ends with its source, or earlier. */
  const endOf = (signal: AbortSignal | undefined): AbortSignal =>
    signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
  const reasonOf = (error: unknown, end: AbortSignal): unknown =>
    end.aborted ? end.reason : toSourceError(error, address);
  const connect = (limitMs: number, end: AbortSignal): Promise<Session> =>
    openSession({ address, tls: settings.tls, statementMs: limitMs, connectMs, end });
  const timely = <T>(session: Session, work: () => Promise<T>, moreMs = 0): Promise<T> =>
    within(questionMs + moreMs, address, session.drop, work);

  const ask = async <T>(question: (session: Session) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const end = endOf(signal);
    let session: Session | undefined;
    try {
      session = await connect(questionMs, end);
      return await question(session);
    } catch (error) {
      throw reasonOf(error, end);
    } finally {
      session?.drop();
    }
  };

  return { endOf, reasonOf, connect, timely, ask, close: () => closing.abort(wasLost(address.at)) };
};

export const postgresqlColumns = (
  settings: PostgresqlTable,
  limits: Partial<Limits> = {},
): Promise<readonly Column[]> => {
  const { ask, timely } = createAsking(settings, limits);
  return ask(async (session) =>
    columnsOf(await timely(session, () => findTable(session.client, settings.table))),
  );
};

export const openPostgresql = (settings: PostgresqlSettings, limits: Partial<Limits> = {}): Source => {
  const { statementMs, silenceMs, stretchMs } = { ...bounds, ...limits };
  const { endOf, reasonOf, connect, timely, ask, close } = createAsking(settings, limits);
  const tableOf = (session: Session): Promise<Table> =>
    timely(session, () => readTable(session.client, settings));
  const askTable = <T>(
    question: (session: Session, table: Table) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> =>
    ask(async (session) => {
      const table = await tableOf(session);
      return timely(session, () => question(session, table), graceMs);
    }, signal);

  async function* find(since: Place | undefined, signal: AbortSignal) {
    const end = endOf(signal);
    let session: Session | undefined;
    try {
      session = await connect(statementMs, end);
      const table = await tableOf(session);
      const firstMs = statementMs + graceMs;
      yield* streamRows(session, readRows(table, since), table, { end, firstMs, silenceMs });
    } catch (error) {
      throw reasonOf(error, end);
    } finally {
      session?.drop();
    }
  }

  return {
    test: () =>
      askTable(async (session, table) => {
        const { rows } = await rowsOf(session, sampleRows(table));
        const sample = rows.map(foundIn(table)).flatMap(({ row }) => (row ? [row] : []));
        return { columns: columnsOf(table), sample };
      }),
    estimate: (since, signal) =>
      askTable(async (session, table) => {
        const { rows } = await rowsOf(session, estimateRows(table, since && toPlace(since)));
        return plannedRows(rows[0]?.[0]);
      }, signal),
    lag: (signal) =>
      ask(async (session) => {
        const { rows } = await timely(session, () => rowsOf(session, oldestTransaction));
        const [hidden, seconds] = rows[0] ?? [];
        return hidden === '0' ? Number(seconds) : undefined;
      }, signal),
    pages: (options) => readPages(find, options, stretchMs),
    lookBack,
    close: async () => close(),
  };
};
