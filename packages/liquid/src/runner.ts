/** One thread for templates, one job at a time. A job that takes too much time or memory ends the thread, and the next job gets a new one. */
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { EngineOptions } from './engine.ts';
import type { Job, Ready, Reply } from './fault.ts';
import { type Bounds, limits as usual } from './limits.ts';
import { type CpuClock, cpuClockOf } from './thread-clock.ts';

/** A reply, and the CPU time that was spent for it. */
export interface Done {
  reply: Reply;
  cpuMs: number;
}

export interface Runner {
  run(job: Job): Promise<Done>;
  close(): Promise<void>;
}

/** What tests exchange. */
export interface RunnerOptions {
  clockOf?: typeof cpuClockOf;
  limits?: Bounds;
}

const lookEveryMs = 5;

const tooLong: Reply = { fault: { kind: 'cost', reason: 'it takes too much time' } };
const tooLarge: Reply = { fault: { kind: 'cost', reason: 'it takes too much memory' } };

const isOutOfMemory = (error: unknown): boolean =>
  (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';

interface Thread {
  /** With the place of its figures in /proc, where there is one. */
  ready: Promise<string | undefined>;
  worker: Worker;
}

/**
 * V8 compiles what runs often in threads of its own, and that took more CPU than the template: no clock would see it. With this flag a thread
 * compiles by itself. It counts for threads that start from now on.
 */
const compileInOwnThread = '--no-concurrent-recompilation';

const startThread = (script: URL, { steps }: Bounds): Thread => {
  setFlagsFromString(compileInOwnThread);
  const workerData: EngineOptions = steps === undefined ? {} : { steps };
  const worker = new Worker(script, {
    workerData,
    resourceLimits: {
      maxOldGenerationSizeMb: usual.heapMb - 4,
      maxYoungGenerationSizeMb: 4,
      stackSizeMb: 4,
    },
  });
  worker.unref();
  const ready = new Promise<string | undefined>((resolve, reject) => {
    worker.once('message', ({ task }: Ready) => resolve(task));
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread has ended before it was ready')));
  });
  ready.catch(() => {});
  return { ready, worker };
};

/** Resolves when the job has run out of time; its reply may be here already and unread, so the event loop turns once before that. */
const outOfTime = (spent: CpuClock, limits: Bounds): { ended: Promise<Reply>; stop(): void } => {
  const { cpuMs, wallMs } = { ...usual, ...limits };
  const began = performance.now();
  const isOver = (): boolean => spent() >= cpuMs || performance.now() - began >= wallMs;
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<Reply>((resolve) => {
    timer = setInterval(() => {
      if (isOver()) setImmediate(() => setImmediate(resolve, tooLong));
    }, lookEveryMs);
  });
  return { ended, stop: () => clearInterval(timer) };
};

const replyOf = (worker: Worker): { reply: Promise<Reply>; stop(): void } => {
  let stop = (): void => {};
  const reply = new Promise<Reply>((resolve, reject) => {
    const fail = (error: unknown): void => (isOutOfMemory(error) ? resolve(tooLarge) : reject(error));
    const exit = (): void => resolve(tooLarge);
    worker.once('message', resolve).once('error', fail).once('exit', exit);
    stop = () => void worker.off('message', resolve).off('error', fail).off('exit', exit);
  });
  return { reply, stop };
};

/** The reply of the thread, or the fault that it has run out of time or memory. */
const runIn = async (worker: Worker, job: Job, spent: CpuClock, limits: Bounds): Promise<Done> => {
  const [answer, time] = [replyOf(worker), outOfTime(spent, limits)];
  worker.postMessage(job);
  try {
    const reply = await Promise.race([answer.reply, time.ended]);
    return { reply, cpuMs: spent() };
  } finally {
    answer.stop();
    time.stop();
    worker.unref();
  }
};

export const createRunner = (
  script: URL,
  { clockOf = cpuClockOf, limits = {} }: RunnerOptions = {},
): Runner => {
  let thread = startThread(script, limits);
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  const renew = async (): Promise<void> => {
    await thread.worker.terminate();
    if (!closed) thread = startThread(script, limits);
  };

  const runNow = async (job: Job): Promise<Done> => {
    const { ready, worker } = thread;
    worker.ref();
    const task = await ready.catch(async (error) => {
      await renew();
      throw error;
    });
    const done = await runIn(worker, job, clockOf(worker, task), limits);
    if (done.reply !== tooLong && done.reply !== tooLarge) return done;
    await renew();
    return { ...done, cpuMs: done.cpuMs + usual.renewMs };
  };

  return {
    run(job) {
      const done = last.then(() => runNow(job));
      last = done.catch(() => {});
      return done;
    },
    async close() {
      closed = true;
      await thread.worker.terminate();
    },
  };
};
