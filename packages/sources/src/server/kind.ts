/** Makes a source of a protocol: each question and each statement that reads rows has a connection of its own. */
import { bounds, graceMs, type Limits } from '../bounds.ts';
import { wasLost } from '../network-errors.ts';
import { readPages } from '../pages.ts';
import { lookBack, type Place, toPlace } from '../place.ts';
import type { Column, Source } from '../source.ts';
import { type Protocol, type Session, type Wanted, type WithColumns, within } from './protocol.ts';

/** All connections end with their source, or earlier. */
const createAsking = <S extends Session>(
  {
    at,
    connect,
    begin,
    toSourceError,
  }: Pick<Protocol<S, WithColumns>, 'at' | 'connect' | 'begin' | 'toSourceError'>,
  limits: Limits,
) => {
  const { connectMs, questionMs } = limits;
  const closing = new AbortController();
  const timely = <T>(session: S, work: () => Promise<T>, moreMs = 0): Promise<T> =>
    within(questionMs + moreMs, at, session, work);

  const endOf = (signal: AbortSignal | undefined): AbortSignal =>
    signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
  const reasonOf = (error: unknown, end: AbortSignal): unknown =>
    end.aborted ? end.reason : toSourceError(error);

  const open = async (statementMs: number, end: AbortSignal): Promise<S> => {
    end.throwIfAborted();
    const session = connect({ ...limits, statementMs });
    const drop = () => {
      end.removeEventListener('abort', drop);
      session.drop();
    };
    end.addEventListener('abort', drop);
    await within(connectMs, at, { drop }, () => begin(session, statementMs));
    return { ...session, drop };
  };

  const leave = async (session: S): Promise<void> => {
    // All was read: nobody needs to know that the server did not answer any more.
    await within(bounds.endMs, at, session, async () => session.end?.()).catch(() => {});
  };

  const ask = async <T>(question: (session: S) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const end = endOf(signal);
    let session: S | undefined;
    try {
      session = await open(questionMs, end);
      const answer = await question(session);
      await leave(session);
      return answer;
    } catch (error) {
      throw reasonOf(error, end);
    } finally {
      session?.drop();
    }
  };

  async function* read<Item>(
    statementMs: number,
    signal: AbortSignal,
    use: (session: S, end: AbortSignal) => AsyncIterable<Item>,
  ) {
    const end = endOf(signal);
    let session: S | undefined;
    try {
      session = await open(statementMs, end);
      yield* use(session, end);
      await leave(session);
    } catch (error) {
      throw reasonOf(error, end);
    } finally {
      session?.drop();
    }
  }

  return { timely, ask, read, close: () => closing.abort(wasLost(at)) };
};

const columnsOf = ({ columns }: WithColumns): readonly Column[] =>
  columns.map(({ name, type }) => ({ name, type }));

const openTable = <S extends Session, Table extends WithColumns>(
  protocol: Protocol<S, Table>,
  wanted: Wanted,
  limits: Limits,
): Source => {
  const { statementMs, statementRows, silenceMs, stretchMs } = limits;
  const { timely, ask, read, close } = createAsking(protocol, limits);
  const find = (session: S): Promise<Table> => timely(session, () => protocol.find(session, wanted));
  const askTable = <T>(question: (session: S, table: Table) => Promise<T>, signal?: AbortSignal) =>
    ask(async (session) => {
      const table = await find(session);
      return timely(session, () => question(session, table), graceMs);
    }, signal);

  const rows = (since: Place | undefined, signal: AbortSignal) =>
    read(statementMs, signal, async function* (session, end) {
      const table = await find(session);
      const waiting = { end, statementRows, firstMs: statementMs + graceMs, silenceMs };
      yield* protocol.rows(session, table, since, waiting);
    });

  return {
    test: () =>
      askTable(async (session, table) => {
        const found = await protocol.sample(session, table);
        // A view may take too long for it.
        const repeated = await protocol.repeated?.(session, table).catch(() => undefined);
        return {
          columns: columnsOf(table),
          sample: found.flatMap(({ row }) => (row ? [row] : [])),
          repeated,
        };
      }),
    estimate: (since, signal) =>
      askTable((session, table) => protocol.estimate(session, table, since && toPlace(since)), signal),
    missed: async (_since, _before, signal) => {
      const { timeless } = protocol;
      if (!timeless || wanted.updatedAt === undefined) return {};
      return { timeless: await askTable((session, table) => timeless(session, table), signal) };
    },
    async clock(signal, mostSeconds) {
      const { lag, now } = protocol;
      const isTimed = now !== undefined && wanted.updatedAt !== undefined;
      if (!lag && !isTimed) return {};
      return ask(async (session) => {
        const table = isTimed ? await find(session) : undefined;
        return timely(session, async () => ({
          lag: await lag?.(session, mostSeconds),
          now: table && (await now?.(session, table)),
        }));
      }, signal);
    },
    pages: (options) =>
      readPages(rows, options, protocol.keepsResults ? Number.POSITIVE_INFINITY : stretchMs),
    lookBack,
    close: async () => close(),
  };
};

export interface Kind<Where> {
  /** Opens no connection yet. Throws a `SourceError` for settings that can't be right. */
  open(settings: Where & Wanted, limits: Partial<Limits>): Source;
  columns(where: Where, limits?: Partial<Limits>): Promise<readonly Column[]>;
}

export const createKind = <
  Where extends { readonly table: string },
  S extends Session,
  Table extends WithColumns,
>(
  protocolOf: (where: Where) => Protocol<S, Table>,
): Kind<Where> => ({
  open: (settings, limits) => openTable(protocolOf(settings), settings, { ...bounds, ...limits }),
  columns: (where, limits) => {
    const protocol = protocolOf(where);
    const { ask, timely } = createAsking(protocol, { ...bounds, ...limits });
    return ask(async (session) =>
      columnsOf(await timely(session, () => protocol.look(session, where.table))),
    );
  },
});
