/**
 * Patterns of callers are compiled and matched in a thread: each piece of work is bounded (limits.ts), and is still too long for an event loop.
 * The thread begins with the first piece, and has one at a time.
 */
import { Worker } from 'node:worker_threads';
import { AudienceFault } from './fault.ts';
import { answer, type Job, type Reply } from './jobs.ts';
import type { Asked, Tested } from './test-people.ts';

export interface Matching {
  /** Throws an AudienceFault. */
  check(audience: unknown, path: string): Promise<void>;
  /** Throws an AudienceFault. */
  test(asked: Asked): Promise<Tested>;
  close(): Promise<void>;
}

/** Tests run from the sources, where there is no script to start. */
const isSource = import.meta.url.endsWith('.ts');

const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

const replyOf = (thread: Worker, job: Job): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      thread.off('message', good).off('error', bad).off('exit', over);
      thread.unref();
      settle();
    };
    const good = (reply: Reply): void => end(() => resolve(reply));
    const bad = (error: Error): void => end(() => reject(error));
    const over = (): void => bad(new Error('the thread of audiences has ended'));
    thread.on('message', good).on('error', bad).on('exit', over);
    thread.ref();
    thread.postMessage(job);
  });

type Run = (job: Job) => Promise<Reply>;

const openThread = (script: URL): { run: Run; close(): Promise<void> } => {
  let thread: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  const begin = (): Worker => {
    if (closed) throw new Error('the thread of audiences is closed');
    const begun = new Worker(script, { resourceLimits });
    const forget = (): void => {
      if (thread === begun) thread = undefined;
    };
    begun.on('error', forget).on('exit', forget);
    thread = begun;
    return begun;
  };

  return {
    run(job) {
      const done = last.then(() => replyOf(thread ?? begin(), job));
      last = done.catch(() => {});
      return done;
    },
    async close() {
      closed = true;
      await thread?.terminate();
    },
  };
};

const inThisThread = { run: async (job: Job) => answer(job), close: async () => {} };

/** `script` is for tests. */
export const openMatching = ({ script }: { script?: URL } = {}): Matching => {
  const { run, close } =
    isSource && !script
      ? inThisThread
      : openThread(script ?? new URL('./matching-thread.js', import.meta.url));
  const ask = async (job: Job): Promise<Tested | undefined> => {
    const reply = await run(job);
    if ('fault' in reply) throw new AudienceFault(reply.fault);
    return reply.tested;
  };
  return {
    async check(audience, path) {
      await ask({ check: { audience, path } });
    },
    async test(asked) {
      const tested = await ask({ test: asked });
      if (!tested) throw new Error('people were not tested');
      return tested;
    },
    close,
  };
};
