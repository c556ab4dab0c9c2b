/** Answers questions about sources in the process that reads them. */
import type { Limits } from '../bounds.ts';
import type { RowLog } from '../log/log.ts';
import type { ServerSettings, ServerTable } from '../settings.ts';
import { SourceError } from '../source-error.ts';
import { kindOf } from './kinds.ts';
import type { Answer, Failure, Question, Request } from './messages.ts';

const longestMessage = 1_000;

/** The message of another error may hold a value of a row. */
const failureOf = (error: unknown): Failure => {
  if (error instanceof SourceError)
    return { code: error.code, message: error.message.slice(0, longestMessage) };
  return { message: `reading failed: ${error instanceof Error ? error.name : typeof error}` };
};

/** https://www.postgresql.org/docs/current/protocol-message-formats.html: GSSAPI, SSPI, Kerberos. */
const unspokenSignIn = /authenticationOk message type/;

const thrownBy = (error: unknown): SourceError =>
  error instanceof Error && unspokenSignIn.test(error.message)
    ? new SourceError(
        'access_denied',
        'the database wants its user to sign in by GSSAPI, SSPI or Kerberos, which are not spoken here: let the user in with scram-sha-256 (pg_hba.conf)',
      )
    : new SourceError(
        'server_error',
        'the driver cannot read what the database answers: another program may answer at its address',
      );

/** What is wanted of a question: the first value is wanted unasked. */
const createWant = () => {
  const stopping = new AbortController();
  let isWanted = false;
  let wake = (): void => {};
  stopping.signal.addEventListener('abort', () => wake());
  return {
    signal: stopping.signal,
    more(): void {
      isWanted = true;
      wake();
    },
    stop: () => stopping.abort(),
    /** Until more is wanted, or nothing at all. */
    async next(): Promise<void> {
      while (!isWanted && !stopping.signal.aborted)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      isWanted = false;
    },
  };
};

type Want = ReturnType<typeof createWant>;

/** Opened, and closed when its values were used. */
async function* valuesOf(
  ask: Extract<Question, { table: ServerSettings }>,
  limits: Partial<Limits>,
  signal: AbortSignal,
): AsyncGenerator<unknown> {
  const source = (await kindOf(ask.table)).open(ask.table, limits);
  try {
    if (ask.do === 'pages') yield* source.pages({ ...ask.options, signal });
    else if (ask.do === 'missed') yield await source.missed?.(undefined, undefined, signal);
    else if (ask.do === 'estimate') yield await source.estimate(ask.since, signal);
    else yield ask.do === 'clock' ? await source.clock(signal, ask.mostSeconds) : await source.test();
  } finally {
    await source.close();
  }
}

const createLogging = () => {
  let log: RowLog | undefined;
  return {
    async of(table: ServerTable, limits: Partial<Limits>): Promise<RowLog> {
      const { openLog } = await import('../log/log.ts');
      log ??= openLog(table, limits);
      return log;
    },
    close(): void {
      log?.close();
      log = undefined;
    },
  };
};

/** `send` says whether the answer was small enough. */
export const createAnswering = (send: (answer: Answer) => boolean) => {
  const under = new Map<number, Want>();
  const logs = createLogging();

  async function* values(ask: Question, limits: Partial<Limits>, signal: AbortSignal) {
    switch (ask.do) {
      case 'columns':
        yield (await kindOf(ask.table)).columns(ask.table, limits);
        break;
      case 'log.test':
        yield (await logs.of(ask.table, limits)).test();
        break;
      case 'log.write':
        yield (await logs.of(ask.table, limits)).write(ask.lines);
        break;
      case 'log.close':
        yield logs.close();
        break;
      default:
        yield* valuesOf(ask, limits, signal);
    }
  }

  const answer = async (id: number, ask: Question, limits: Partial<Limits>): Promise<void> => {
    const want = createWant();
    under.set(id, want);
    try {
      for await (const value of values(ask, limits, want.signal)) {
        if (!send({ id, value }))
          throw new SourceError('too_large', 'the database answers with more than a page of rows may have');
        await want.next();
        if (want.signal.aborted) break;
      }
      send({ id, end: true });
    } catch (error) {
      send({ id, failure: failureOf(error) });
    } finally {
      under.delete(id);
    }
  };

  return {
    /** What a driver throws where nobody hears it ends all that is under way. */
    fail(error: unknown): void {
      const failure = failureOf(thrownBy(error));
      for (const id of under.keys()) send({ id, failure });
    },
    take(request: Request): void {
      if ('isAlive' in request) send({ isAlive: true });
      else if ('ask' in request) void answer(request.id, request.ask, request.limits);
      else under.get(request.id)?.[request.want]();
    },
    /** Nobody listens any more. */
    end(): void {
      for (const { stop } of under.values()) stop();
      logs.close();
    },
  };
};
