/** Tables and views of PostgreSQL. */
import type { QueryResult } from 'pg';
import { bounds } from '../bounds.ts';
import { graceMs, type Limits } from '../limits.ts';
import { readPages } from '../pages.ts';
import { lookBack, type Place, toPlace } from '../place.ts';
import type { DatabaseSettings } from '../settings.ts';
import type { Cursor, Source } from '../source.ts';
import { readAddress } from '../sql/address.ts';
import { toSourceError } from './errors.ts';
import { foundIn, streamRows } from './rows.ts';
import { openSession, type Session, usualSettings, within } from './session.ts';
import { estimateRows, readRows, type Statement, sampleRows } from './statements.ts';
import { readTable, type Table } from './table.ts';

const rowsOf = ({ client }: Session, { text, values }: Statement): Promise<QueryResult<(string | null)[]>> =>
  client.query({ text, values: [...values], rowMode: 'array' });

const plannedRows = (answer: string | null | undefined): number | undefined => {
  const [explained]: { Plan?: { 'Plan Rows'?: unknown } }[] = JSON.parse(answer ?? '[]');
  const rows = explained?.Plan?.['Plan Rows'];
  return typeof rows === 'number' ? rows : undefined;
};

export const openPostgresql = (settings: DatabaseSettings, limits: Limits = bounds): Source => {
  const address = readAddress(settings.url, ['postgresql:', 'postgres:'], 5432);
  const { connectMs, questionMs, statementMs, silenceMs, stretchMs } = limits;
  const open = new Set<Session>();

  const connect = async (limitMs: number): Promise<Session> => {
    const session = await openSession({
      address,
      tls: settings.tls,
      settings: usualSettings,
      statementMs: limitMs,
      connectMs,
    });
    open.add(session);
    session.client.once('end', () => open.delete(session));
    return session;
  };
  const tableOf = (session: Session): Promise<Table> =>
    within(questionMs, address, session.drop, () => readTable(session.client, settings));

  /** A question, with a connection of its own. */
  const ask = async <T>(question: (session: Session, table: Table) => Promise<T>): Promise<T> => {
    const session = await connect(questionMs);
    try {
      const table = await tableOf(session);
      return await within(questionMs + graceMs, address, session.drop, () => question(session, table));
    } finally {
      session.drop();
    }
  };

  async function* find(since: Place | undefined, signal: AbortSignal) {
    const session = await connect(statementMs);
    try {
      const table = await tableOf(session);
      const firstMs = statementMs + graceMs;
      yield* streamRows(session, readRows(table, since), table, { signal, firstMs, silenceMs });
    } catch (error) {
      throw signal.aborted ? signal.reason : toSourceError(error, address);
    } finally {
      session.drop();
    }
  }

  return {
    columns: () => ask(async (_, { columns }) => columns.map(({ name, type }) => ({ name, type }))),
    test: () =>
      ask(async (session, table) => {
        const { rows } = await rowsOf(session, sampleRows(table));
        const sample = rows.map(foundIn(table)).flatMap(({ row }) => (row ? [row] : []));
        return { columns: table.columns.map(({ name, type }) => ({ name, type })), sample };
      }),
    estimate: (since: Cursor | undefined) =>
      ask(async (session, table) => {
        const { rows } = await rowsOf(session, estimateRows(table, since && toPlace(since)));
        return plannedRows(rows[0]?.[0]);
      }),
    pages: (options) => readPages(find, options, stretchMs),
    lookBack,
    close: async () => {
      for (const session of open) session.drop();
    },
  };
};
