/**
 * Large bodies are counted, parsed and judged in a thread of their own: meanwhile the event loop goes on with small requests. Only bytes go
 * there and come back, and they change hands without a copy (docs/adr/ingress.md).
 */
import { Worker } from 'node:worker_threads';
import { type OperationId, Rejection, rejectionWithRetry, withinTime } from '@roster/contract';
import type { CountedBody, JudgedBody, JudgeQuestion } from './understand.ts';

/** Settings go along each time: they are small beside the body. */
export type SentQuestion = Omit<JudgeQuestion, 'operation'> & { operation: OperationId };

export type ToThread = { id: number } & ({ bytes: Uint8Array } | { question: SentQuestion } | { drop: true });

type Answered = Pick<CountedBody, 'shape'> | { judged: JudgedBody };

/** The first message of the thread: from now on it works. */
export const begun = 'begun';

export type FromThread = { id: number } & (
  | Answered
  | { refused: Pick<Rejection, 'code' | 'message' | 'errors' | 'faults' | 'headers'> }
  | { bug: string }
);

/** Of the thread alone. The parsed value of 6 MB takes a fifth of it. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/**
 * A body takes less than a fifth of a second of CPU, and those before it have 6 MB together. The thread has the lowest priority, so on a busy
 * machine that can be many seconds; this limit is for a thread that hangs.
 */
const usualPatienceMs = 60_000;

/** The thread loads all schemas first: no body is blamed for that. */
const startPatienceMs = 120_000;

export interface LargeBodiesOptions {
  /** The thread has ended before its time. */
  onError(error: unknown): void;
  /** For tests. */
  script?: URL;
  patienceMs?: number;
}

interface PendingAnswer {
  resolve(answer: Answered): void;
  reject(error: Error): void;
}

const settle = ({ resolve, reject }: PendingAnswer, answer: FromThread): void => {
  if ('bug' in answer) reject(new Error(answer.bug));
  else if ('refused' in answer) {
    const { code, ...options } = answer.refused;
    reject(new Rejection(code, options));
  } else resolve(answer);
};

const tryAgain = (): Rejection => rejectionWithRetry('OVERLOADED', 2);

/** One life of the thread. Its end refuses all that it was asked: the callers may try again. */
const startThread = (script: URL, onEnd: (cause: unknown) => void) => {
  const thread = new Worker(script, { resourceLimits });
  const asked = new Map<number, PendingAnswer>();
  let alive = true;
  let cause: unknown;
  let works = (): void => {};
  const working = new Promise<void>((resolve) => {
    works = resolve;
  });
  thread.unref();
  thread.on('error', (error) => {
    cause = error;
  });
  thread.on('message', (answer: FromThread | typeof begun) => {
    if (answer === begun) return works();
    const one = asked.get(answer.id);
    asked.delete(answer.id);
    if (one) settle(one, answer);
  });
  thread.on('exit', () => {
    alive = false;
    onEnd(cause);
    for (const { reject } of asked.values()) reject(tryAgain());
  });
  return {
    working,
    tell: (message: ToThread): void => thread.postMessage(message),
    ask: (message: ToThread, bytes?: Uint8Array): Promise<Answered> =>
      new Promise((resolve, reject) => {
        if (alive) asked.set(message.id, { resolve, reject });
        else reject(tryAgain());
        thread.postMessage(message, bytes ? [bytes.buffer as ArrayBuffer] : []);
      }),
    async end(why?: Error): Promise<void> {
      cause ??= why;
      await thread.terminate();
    },
  };
};

type Thread = ReturnType<typeof startThread>;

/** An end of the thread refuses what it was asked. */
const createAsk = (thread: Thread, patienceMs: number): Thread['ask'] => {
  const atMost = (ms: number, work: Promise<unknown>, what: string): Promise<unknown> =>
    withinTime(ms, work, () => void thread.end(new Error(`${what} took more than ${ms} ms`)));
  return async (message, bytes) => {
    const answer = thread.ask(message, bytes);
    const begun = Promise.race([thread.working, answer]);
    await atMost(startPatienceMs, begun, 'the start of the thread for large bodies');
    await atMost(patienceMs, answer, 'a large body');
    return answer;
  };
};

interface LargeBody {
  id: number;
  bytes: Buffer;
  patienceMs: number;
}

/** Counts a body in the thread. It stays there until it is judged or dropped. */
const understandIn = async (thread: Thread, { id, bytes, patienceMs }: LargeBody): Promise<CountedBody> => {
  const ask = createAsk(thread, patienceMs);
  const answer = await ask({ id, bytes }, bytes);
  if (!('shape' in answer)) throw new Error('a body was judged before it was counted');
  return {
    shape: answer.shape,
    async judge({ operation, ...question }) {
      const found = await ask({ id, question: { ...question, operation: operation.id } });
      if (!('judged' in found)) throw new Error('a body was counted twice');
      const { body, ...judged } = found.judged;
      // Bytes of a Buffer arrive as those of a plain array.
      return { ...judged, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) };
    },
    drop: () => thread.tell({ id, drop: true }),
  };
};

/**
 * The start of the thread takes longer than any body: after `begin` no caller waits for it. Once the thread has ended, the next large
 * body starts another one.
 */
export const openLargeBodies = (options: LargeBodiesOptions) => {
  const { onError, patienceMs = usualPatienceMs } = options;
  const { script = new URL('./large-bodies-thread.js', import.meta.url) } = options;
  let thread: Thread | undefined;
  let last = 0;

  const start = (): Thread => {
    const started = startThread(script, (cause) => {
      if (thread === started) thread = undefined;
      if (cause) onError(cause);
    });
    return started;
  };

  return {
    begin(): void {
      thread ??= start();
    },
    async understand(bytes: Buffer): Promise<CountedBody> {
      thread ??= start();
      return understandIn(thread, { id: ++last, bytes, patienceMs });
    },
    close: async (): Promise<void> => thread?.end(),
  };
};
