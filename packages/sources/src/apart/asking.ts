/** Questions to a process that reads, which begins with the first one and ends with `close`. */
import type { Limits } from '../bounds.ts';
import { createFlow, type Flow } from '../flow.ts';
import { SourceError } from '../source-error.ts';
import { type ReaderLimits, readerBounds } from './limits.ts';
import type { Answer, Failure, Question } from './messages.ts';
import { type Reader, type ReaderOptions, startReader } from './reader.ts';

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

const built = new URL('./source-process.js', import.meta.url);

const errorOf = ({ code, message }: Failure): Error =>
  code === undefined ? new Error(message) : new SourceError(code, message);

export const createAsking = ({
  script = built,
  env,
  limits,
  sourceLimits = {},
  onStart,
  onEnd,
}: ApartOptions) => {
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
    /** Started, whole, and with no question under way. */
    isFree: (): boolean => reader !== undefined && !over && under.size === 0,
    async close(): Promise<void> {
      over ??= new SourceError('connection_lost', 'the source is closed');
      await reader?.close();
    },
  };
};

export type Asking = ReturnType<typeof createAsking>;
