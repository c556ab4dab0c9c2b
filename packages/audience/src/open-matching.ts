/** Patterns of callers are compiled and matched in a thread: each piece of work is bounded (limits.ts), and is still too long for an event loop. */
import { createRunner, type ThreadLimits } from '@roster/threads';
import { AudienceFault } from './fault.ts';
import { ofPatterns } from './limits.ts';
import { type AudienceReply, answer, type Job, type PeopleTest, type Tested } from './test-people.ts';

/** Tests run from the sources, where there is no script to start. */
const isSource = import.meta.url.endsWith('.ts');

/** A last resort: what a job takes is counted. */
const limits: ThreadLimits = { cpuMs: 30_000, wallMs: 120_000, renewMs: 0, heapMb: 132 };

const openRunner = (script: URL) =>
  createRunner<Job, AudienceReply>({
    script,
    limits,
    tooLong: { failed: 'the thread of audiences takes too long' },
    tooLarge: { failed: 'the thread of audiences has run out of memory' },
  });

const inThisThread = (job: Job): Promise<AudienceReply> => Promise.resolve(answer(job));

/** `script` is for tests. */
export const openMatching = ({ script }: { script?: URL } = {}) => {
  /** Begins with the first piece of work. */
  let runner: ReturnType<typeof openRunner> | undefined;
  let closed = false;

  const inThread = async (job: Job): Promise<AudienceReply> => {
    if (closed) throw new Error('the thread of audiences is closed');
    runner ??= openRunner(script ?? new URL('./matching-thread.js', import.meta.url));
    return (await runner.run(job)).reply;
  };
  const run = (isSource && !script) || !ofPatterns.isInThread ? inThisThread : inThread;

  const ask = async (job: Job): Promise<Tested | undefined> => {
    const reply = await run(job);
    if ('fault' in reply) throw new AudienceFault(reply.fault);
    if ('failed' in reply) throw new Error(reply.failed);
    return reply.tested;
  };
  return {
    /** Throws an AudienceFault. */
    async check(audience: unknown, path: string): Promise<void> {
      await ask({ check: { audience, path } });
    },
    /** Throws an AudienceFault. */
    async test(asked: PeopleTest): Promise<Tested> {
      const tested = await ask({ test: asked });
      if (!tested) throw new Error('the thread returned no result');
      return tested;
    },
    async close(): Promise<void> {
      closed = true;
      await runner?.close();
    },
  };
};

export type Matching = ReturnType<typeof openMatching>;
