/** Tables and views of MySQL and MariaDB. */
import { bounds } from '../bounds.ts';
import { graceMs, type Limits } from '../limits.ts';
import { anyNumber, decimal, wholeNumber } from '../numbers.ts';
import { readPages } from '../pages.ts';
import { type Found, lookBack, type Place, toPlace } from '../place.ts';
import type { DatabaseSettings } from '../settings.ts';
import type { Cell, Source } from '../source.ts';
import { readAddress } from '../sql/address.ts';
import { toSourceError } from './errors.ts';
import { openSession, type Raw, type Session, within } from './session.ts';
import { estimateRows, readRows, sampleRows } from './statements.ts';
import { readTable, type Table, type TableColumn } from './table.ts';

type Reader = (text: string) => Cell;

/** What has no zone is taken for UTC. The zero date stays a text. */
const moment: Reader = (text) =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?$/.test(text) && !text.includes('-00')
    ? `${text.replace(' ', 'T')}Z`
    : text;

const flag: Reader = (text) => (text === '0' || text === '1' ? text === '1' : Number(text));

const readers: Readonly<Record<string, Reader>> = {
  tinyint: Number,
  smallint: Number,
  mediumint: Number,
  int: Number,
  year: Number,
  bigint: wholeNumber,
  bit: wholeNumber,
  float: anyNumber,
  double: anyNumber,
  decimal,
  datetime: moment,
  timestamp: moment,
  json: (text) => JSON.parse(text),
};

const readerOf = ({ type, kind }: TableColumn): Reader =>
  type === 'tinyint(1)' || type === 'bit(1)' ? flag : (readers[kind] ?? ((text) => text));

const leadingCells = 3;

const foundIn = ({ columns }: Table): ((raw: Raw) => Found) => {
  const readers = columns.map((column) => [column.name, readerOf(column)] as const);
  return (raw) => {
    const bytes = Number(raw[2]);
    const cells = readers.map(([name, read], at) => {
      const text = raw[at + leadingCells];
      return [name, typeof text === 'string' ? read(text) : null] as const;
    });
    const row = bytes <= bounds.rowBytes ? Object.fromEntries(cells) : undefined;
    return { moment: raw[0] ?? '', tie: raw[1] ?? null, bytes, row };
  };
};

const plannedRows = (answer: string | null | undefined): number | undefined => {
  const found = /"rows(?:_produced_per_join)?"\s*:\s*(\d+)/.exec(answer ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
};

export const openMysql = (settings: DatabaseSettings, limits: Limits = bounds): Source => {
  const address = readAddress(settings.url, ['mysql:', 'mariadb:'], 3306);
  const { connectMs, questionMs, statementMs, silenceMs, stretchMs } = limits;
  const open = new Set<Session>();

  const connect = async (limitMs: number): Promise<Session> => {
    const session = await openSession(address, settings.tls, { statementMs: limitMs, connectMs });
    open.add(session);
    return session;
  };
  const end = (session: Session): void => {
    open.delete(session);
    session.drop();
  };
  const tableOf = (session: Session): Promise<Table> =>
    within(questionMs, address, session.drop, readTable(session, settings, address.database));

  /** A question, with a connection of its own. */
  const ask = async <T>(question: (session: Session, table: Table) => Promise<T>): Promise<T> => {
    const session = await connect(questionMs);
    try {
      const table = await tableOf(session);
      return await within(questionMs + graceMs, address, session.drop, question(session, table));
    } finally {
      end(session);
    }
  };

  async function* find(since: Place | undefined, signal: AbortSignal) {
    const session = await connect(statementMs);
    const abort = () => session.drop();
    signal.addEventListener('abort', abort, { once: true });
    try {
      const table = await tableOf(session);
      const flow = session.stream(readRows(table, since));
      const abortFlow = () => flow.fail(signal.reason);
      signal.addEventListener('abort', abortFlow, { once: true });
      const toFound = foundIn(table);
      for (let limit = statementMs + graceMs; ; limit = silenceMs) {
        const chunk = await flow.take(limit);
        signal.throwIfAborted();
        if (!chunk) return;
        yield chunk.map(toFound);
      }
    } catch (error) {
      throw signal.aborted ? signal.reason : toSourceError(error, address);
    } finally {
      signal.removeEventListener('abort', abort);
      end(session);
    }
  }

  return {
    columns: () => ask(async (_, { columns }) => columns.map(({ name, type }) => ({ name, type }))),
    test: () =>
      ask(async (session, table) => {
        const rows = await session.ask(sampleRows(table));
        const sample = rows.map(foundIn(table)).flatMap(({ row }) => (row ? [row] : []));
        return { columns: table.columns.map(({ name, type }) => ({ name, type })), sample };
      }),
    estimate: (since) =>
      ask(async (session, table) => {
        const [row] = await session.ask(estimateRows(table, since && toPlace(since)));
        return plannedRows(row?.[0]);
      }),
    pages: (options) => readPages(find, options, stretchMs),
    lookBack,
    close: async () => {
      for (const session of open) end(session);
    },
  };
};
