/** One thread, one job at a time. A job that takes too much time or memory ends the thread, and the next job gets a new one. */
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { type CpuClock, cpuClockOf } from './thread-clock.ts';

/** A reply, and the CPU time that was spent for it. */
interface Done<Reply> {
  reply: Reply;
  cpuMs: number;
}

export interface Runner<Job, Reply> {
  run(job: Job): Promise<Done<Reply>>;
  close(): Promise<void>;
}

export interface ThreadLimits {
  /** CPU time of a job. */
  cpuMs: number;
  /** Likewise on the wall, for a thread that gets no processor. */
  wallMs: number;
  /** CPU time of the end of a thread and the start of the next one, as it was measured. */
  renewMs: number;
  /** Heap of the thread, with the libraries in it. */
  heapMb: number;
}

export interface RunnerOptions<Reply> {
  script: URL;
  /** What the script gets as its `workerData`. */
  data?: unknown;
  limits: ThreadLimits;
  /** The replies for a job beyond the limits. */
  tooLong: Reply;
  tooLarge: Reply;
  clockOf?: typeof cpuClockOf;
}

const lookEveryMs = 5;

const isOutOfMemory = (error: unknown): boolean =>
  (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';

/**
 * V8 compiles what runs often in threads of its own, and that took more CPU than the job: no clock would see it. With this flag a thread
 * compiles by itself. It counts for threads that start from now on.
 */
const compileInOwnThread = '--no-concurrent-recompilation';

const startThread = ({ script, data, limits }: RunnerOptions<unknown>) => {
  setFlagsFromString(compileInOwnThread);
  const worker = new Worker(script, {
    workerData: data,
    resourceLimits: {
      maxOldGenerationSizeMb: limits.heapMb - 4,
      maxYoungGenerationSizeMb: 4,
      stackSizeMb: 4,
    },
  });
  worker.unref();
  /** With the place of its figures in /proc, where there is one. */
  const ready = new Promise<string | undefined>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread has ended before it was ready')));
  });
  // The next job hears of it.
  ready.catch(() => {});
  return { ready, worker };
};

/** Resolves when the job has run out of time; its reply may be here already and unread, so the event loop turns once before that. */
const outOfTime = (
  spent: CpuClock,
  { cpuMs, wallMs }: ThreadLimits,
): { ended: Promise<'late'>; stop(): void } => {
  const began = performance.now();
  const isOver = (): boolean => spent() >= cpuMs || performance.now() - began >= wallMs;
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<'late'>((resolve) => {
    timer = setInterval(() => {
      if (isOver()) setImmediate(() => setImmediate(resolve, 'late'));
    }, lookEveryMs);
  });
  return { ended, stop: () => clearInterval(timer) };
};

/** What the thread answered; `full` when it has run out of memory. */
type Answer<Reply> = { reply: Reply } | 'full' | 'late';

const answerOf = <Reply>(worker: Worker): { answer: Promise<Answer<Reply>>; stop(): void } => {
  let stop = (): void => {};
  const answer = new Promise<Answer<Reply>>((resolve, reject) => {
    const told = (reply: Reply): void => resolve({ reply });
    const fail = (error: unknown): void => (isOutOfMemory(error) ? resolve('full') : reject(error));
    const exit = (): void => resolve('full');
    worker.once('message', told).once('error', fail).once('exit', exit);
    stop = () => void worker.off('message', told).off('error', fail).off('exit', exit);
  });
  return { answer, stop };
};

/** The answer of the thread, and the CPU time that it took. */
const runIn = async <Reply>(
  worker: Worker,
  job: unknown,
  spent: CpuClock,
  limits: ThreadLimits,
): Promise<{ answer: Answer<Reply>; cpuMs: number }> => {
  const [told, time] = [answerOf<Reply>(worker), outOfTime(spent, limits)];
  worker.postMessage(job);
  try {
    const answer = await Promise.race([told.answer, time.ended]);
    return { answer, cpuMs: spent() };
  } finally {
    told.stop();
    time.stop();
    worker.unref();
  }
};

export const createRunner = <Job, Reply>(options: RunnerOptions<Reply>): Runner<Job, Reply> => {
  const { limits, tooLong, tooLarge, clockOf = cpuClockOf } = options;
  let thread = startThread(options);
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  const renew = async (): Promise<void> => {
    await thread.worker.terminate();
    if (!closed) thread = startThread(options);
  };

  const runNow = async (job: Job): Promise<Done<Reply>> => {
    const { ready, worker } = thread;
    worker.ref();
    const { answer, cpuMs } = await ready
      .then((task) => runIn<Reply>(worker, job, clockOf(worker, task), limits))
      .catch(async (error) => {
        // What was thrown in it has ended it.
        await renew();
        throw error;
      });
    if (typeof answer === 'object') return { reply: answer.reply, cpuMs };
    await renew();
    return { reply: answer === 'late' ? tooLong : tooLarge, cpuMs: cpuMs + limits.renewMs };
  };

  return {
    run(job) {
      const done = last.then(() => runNow(job));
      // The next job only waits for its end.
      last = done.catch(() => {});
      return done;
    },
    async close() {
      closed = true;
      await thread.worker.terminate();
    },
  };
};
