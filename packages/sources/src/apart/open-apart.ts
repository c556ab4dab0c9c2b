/** Sources whose drivers run in a process of their own, which begins with the first question and ends with `close`. */
import type { Limits } from '../bounds.ts';
import { createFlow, type Flow } from '../flow.ts';
import { openLog, type RowLog } from '../log/log.ts';
import { openSource, readColumns } from '../open-source.ts';
import { lookBack } from '../place.ts';
import type { ServerSettings, ServerTable, SourceSettings, SourceTable } from '../settings.ts';
import type { Column, Page, Source } from '../source.ts';
import { SourceError } from '../source-error.ts';
import { type ReaderLimits, readerBounds } from './limits.ts';
import type { Answer, Failure, Question } from './messages.ts';
import { type Reader, type ReaderOptions, startReader } from './reader.ts';

export interface Sources {
  openSource(settings: SourceSettings): Source;
  readColumns(table: SourceTable): Promise<readonly Column[]>;
  openLog(where: ServerTable): RowLog;
  /** Ends what is open. */
  close(): Promise<void>;
}

export const inThisProcess: Sources = { openSource, readColumns, openLog, close: async () => {} };

export interface ApartOptions extends Pick<ReaderOptions, 'env'> {
  /** For tests: instead of the one that is built. */
  readonly script?: URL | undefined;
  readonly limits?: Partial<ReaderLimits> | undefined;
  readonly sourceLimits?: Partial<Limits>;
  /** With its process id. */
  onStart?(pid: number): void;
  /** It has ended before it was closed. */
  onEnd?(why: SourceError): void;
}

/** Longer than each limit of a source. */
const longestMs = 2_000_000_000;

/** Tests run from the sources, where there is no script to start. */
const isSource = import.meta.url.endsWith('.ts');
const built = new URL('./source-process.js', import.meta.url);

const errorOf = ({ code, message }: Failure): Error =>
  code === undefined ? new Error(message) : new SourceError(code, message);

const createAsking = ({ script = built, env, limits, sourceLimits = {}, onStart, onEnd }: ApartOptions) => {
  const under = new Map<number, Flow<unknown>>();
  let reader: Reader | undefined;
  let over: Error | undefined;
  let last = 0;

  const hear = (answer: Answer): void => {
    if ('isAlive' in answer) return;
    const flow = under.get(answer.id);
    if ('failure' in answer) flow?.fail(errorOf(answer.failure));
    else if ('end' in answer) flow?.end();
    else flow?.push(answer.value, 0);
  };

  const ended = (why: SourceError): void => {
    if (!over) onEnd?.(why);
    over ??= why;
    for (const flow of under.values()) flow.fail(over);
  };

  const started = (): Reader => {
    if (over) throw over;
    if (reader) return reader;
    reader = startReader({ script, env, limits: { ...readerBounds, ...limits }, hear, ended });
    if (reader.pid !== undefined) onStart?.(reader.pid);
    return reader;
  };

  /** While a value is used, the next one is read. */
  async function* ask(question: Question, signal?: AbortSignal): AsyncGenerator<unknown> {
    signal?.throwIfAborted();
    const { send } = started();
    last += 1;
    const id = last;
    const flow = createFlow<unknown>({ pause() {}, resume: () => send({ id, want: 'more' }) });
    const stop = (): void => flow.fail(signal?.reason);
    under.set(id, flow);
    signal?.addEventListener('abort', stop);
    try {
      send({ id, ask: question, limits: sourceLimits });
      for (let values = await flow.take(longestMs); values; values = await flow.take(longestMs)) {
        signal?.throwIfAborted();
        yield* values;
      }
    } finally {
      signal?.removeEventListener('abort', stop);
      under.delete(id);
      send({ id, want: 'stop' });
    }
  }

  return {
    ask,
    /** Our own script answers in this form. */
    async one<T>(question: Question, signal?: AbortSignal): Promise<T> {
      for await (const value of ask(question, signal)) return value as T;
      return undefined as T;
    },
    isStarted: (): boolean => reader !== undefined && !over,
    async close(): Promise<void> {
      over ??= new SourceError('connection_lost', 'the source is closed');
      await reader?.close();
    },
  };
};

type Asking = ReturnType<typeof createAsking>;

const sourceOf = ({ ask, one }: Asking, table: ServerSettings): Source => {
  const closing = new AbortController();
  const endOf = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, closing.signal]);
  return {
    test: () => one({ do: 'test', table }, closing.signal),
    estimate: (since, signal) => one({ do: 'estimate', table, since }, endOf(signal)),
    missed: (_since, _before, signal) => one({ do: 'missed', table }, endOf(signal)),
    lag: (signal, mostSeconds) => one({ do: 'lag', table, mostSeconds }, endOf(signal)),
    pages: ({ signal, rest: _, ...options }) =>
      ask({ do: 'pages', table, options }, endOf(signal)) as AsyncIterable<Page>,
    lookBack,
    close: async () => closing.abort(new SourceError('connection_lost', 'the source is closed')),
  };
};

const logOf = ({ one, isStarted }: Asking, table: ServerTable): RowLog => ({
  test: () => one({ do: 'log.test', table }),
  write: (lines) => one({ do: 'log.write', table, lines }),
  close(): void {
    // What has ended has no connection.
    if (isStarted()) one({ do: 'log.close', table }).catch(() => {});
  },
});

/** Files and warehouses that are asked over HTTP have no driver: they stay in this process. */
export const openApart = (options: ApartOptions): Sources => {
  if (isSource && !options.script) return inThisProcess;
  const asking = createAsking(options);
  return {
    openSource: (settings) => ('url' in settings ? sourceOf(asking, settings) : openSource(settings)),
    readColumns: (table) => ('url' in table ? asking.one({ do: 'columns', table }) : readColumns(table)),
    openLog: (where) => logOf(asking, where),
    close: asking.close,
  };
};
