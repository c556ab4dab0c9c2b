/** Patterns of callers are compiled and matched in a thread: each piece of work is bounded (limits.ts), and is still too long for an event loop. */
import { openRunner, type ThreadLimits } from '@roster/threads';
import { AudienceFault } from './fault.ts';
import { ofPatterns } from './limits.ts';
import { type AudienceReply, answer, type PeopleTest, type Tested } from './test-people.ts';

/** A last resort: what a job takes is counted. */
const limits: ThreadLimits = { cpuMs: 30_000, wallMs: 120_000, renewMs: 0, heapMb: 132 };

/** `script` is for tests. */
export const openMatching = ({ script }: { script?: URL } = {}) => {
  const runner = openRunner<PeopleTest, AudienceReply>({
    work: answer,
    built: new URL('./matching-thread.js', import.meta.url),
    script,
    isInThread: () => ofPatterns.isInThread,
    limits,
    tooLong: { failed: 'the thread of audiences takes too long' },
    tooLarge: { failed: 'the thread of audiences has run out of memory' },
  });

  /** Throws an AudienceFault. */
  const test = async (asked: PeopleTest): Promise<Tested> => {
    const { reply } = await runner.run(asked);
    if ('fault' in reply) throw new AudienceFault(reply.fault);
    if ('failed' in reply) throw new Error(reply.failed);
    return reply;
  };
  return {
    test,
    /** Throws an AudienceFault. */
    async check(audience: unknown, path: string): Promise<void> {
      await test({ audiences: [audience], people: [], now: 0, path });
    },
    close: runner.close,
  };
};

export type Matching = ReturnType<typeof openMatching>;
