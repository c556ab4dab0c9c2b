/** The thread that reads large bodies. */
import { Worker } from 'node:worker_threads';
import { type BodyShape, type OperationId, Rejection, rejectionWithRetry } from '@roster/contract';
import type { Judged, Question } from './understand.ts';

/** Settings go along each time: they are small beside the body. */
export type SentQuestion = Omit<Question, 'operation'> & { operation: OperationId };

export type ToThread = { id: number } & ({ bytes: Uint8Array } | { question: SentQuestion } | { drop: true });

type Answered = { shape: BodyShape } | { judged: Judged };

export type FromThread = { id: number } & (
  | Answered
  | { refused: Pick<Rejection, 'code' | 'message' | 'errors' | 'headers'> }
  | { bug: string }
);

/** Of the thread alone. The parsed value of 6 MB takes a fifth of it. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

export interface LargeBodiesOptions {
  /** The thread has ended before its time. */
  onError(error: unknown): void;
  /** For tests. */
  script?: URL;
  patienceMs?: number;
}

interface Asked {
  resolve(answer: Answered): void;
  reject(error: Error): void;
}

const settle = ({ resolve, reject }: Asked, answer: FromThread): void => {
  if ('bug' in answer) reject(new Error(answer.bug));
  else if ('refused' in answer) {
    const { code, ...options } = answer.refused;
    reject(new Rejection(code, options));
  } else resolve(answer);
};

const tryAgain = (): Rejection => rejectionWithRetry('OVERLOADED', 2);

/** One life of the thread. Its end refuses all that it was asked: the callers may try again. */
export const startThread = (script: URL, onEnd: (cause: unknown) => void) => {
  const thread = new Worker(script, { resourceLimits });
  const asked = new Map<number, Asked>();
  let alive = true;
  let cause: unknown;
  thread.unref();
  thread.on('error', (error) => {
    cause = error;
  });
  thread.on('message', (answer: FromThread) => {
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

export type Thread = ReturnType<typeof startThread>;
