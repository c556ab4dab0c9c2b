/** One thread for templates, one job at a time. A job that costs too much ends the thread, and the next job gets a new one. */
import { Worker } from 'node:worker_threads';
import type { Job, Reply } from './fault.ts';
import { limits } from './limits.ts';

export interface Runner {
  run(job: Job): Promise<Reply>;
  close(): Promise<void>;
}

const lookEveryMs = 5;

const tooLong: Reply = { fault: { kind: 'cost', reason: 'it takes too much time' } };
const tooLarge: Reply = { fault: { kind: 'cost', reason: 'it takes too much memory' } };

const isOutOfMemory = (error: unknown): boolean =>
  (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';

interface Thread {
  ready: Promise<void>;
  worker: Worker;
}

const startThread = (script: URL): Thread => {
  const worker = new Worker(script, {
    resourceLimits: {
      maxOldGenerationSizeMb: limits.heapMb - 4,
      maxYoungGenerationSizeMb: 4,
      stackSizeMb: 4,
    },
  });
  worker.unref();
  const ready = new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve());
    worker.once('error', reject);
  });
  ready.catch(() => {});
  return { ready, worker };
};

/** CPU time of the whole process is more than that of the thread: what waits for a processor is not charged for that. */
const createClock = () => {
  const [cpu, wall] = [process.cpuUsage(), performance.now()];
  return (): boolean => {
    const { user, system } = process.cpuUsage(cpu);
    return (user + system) / 1000 >= limits.cpuMs || performance.now() - wall >= limits.wallMs;
  };
};

/** Resolves when the job has run out of time; its reply may be here already and unread, so the event loop turns once before that. */
const outOfTime = (): { ended: Promise<Reply>; stop(): void } => {
  const isOver = createClock();
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

export const createRunner = (script: URL): Runner => {
  let thread = startThread(script);
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  const renew = async (): Promise<void> => {
    await thread.worker.terminate();
    if (!closed) thread = startThread(script);
  };

  const runNow = async (job: Job): Promise<Reply> => {
    const { ready, worker } = thread;
    worker.ref();
    await ready.catch(async (error) => {
      await renew();
      throw error;
    });
    const [answer, time] = [replyOf(worker), outOfTime()];
    worker.postMessage(job);
    try {
      const reply = await Promise.race([answer.reply, time.ended]);
      if (reply === tooLong || reply === tooLarge) await renew();
      return reply;
    } finally {
      answer.stop();
      time.stop();
      worker.unref();
    }
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
