/** Makes emails in a thread of its own, one at a time: nothing that stands in one stops the process. */
import { createInTurn, openRunner, type ThreadLimits } from '@roster/threads';
import type { Leave } from '../outgoing.ts';
import { anyTime } from '../places.ts';
import type { Composition } from './compose.ts';
import { limits as costs } from './costs.ts';
import type { Letter } from './letter.ts';

/** A last resort, far above what `costs.ts` lets through. */
const usual: ThreadLimits = { cpuMs: 10_000, wallMs: 40_000, renewMs: 0, heapMb: 96 };

export interface ComposerOptions {
  /** Is told the milliseconds of CPU that an email of the workspace took. */
  onSpent?(ws: string, cpuMs: number): void;
  /** The others are for tests. */
  script?: URL;
  limits?: Partial<ThreadLimits>;
}

export const openComposer = ({ onSpent, script, limits }: ComposerOptions = {}) => {
  /** Begins with the first email: what it is made with is large. */
  const runner = openRunner<Letter, Composition>({
    work: async (letter) => (await import('./compose.ts')).compose(letter),
    built: new URL('./email-thread.js', import.meta.url),
    script,
    isInThread: () => costs.isInThread,
    limits: { ...usual, ...limits },
    tooLong: { fault: 'the email takes too much time to make' },
    tooLarge: { fault: 'the email takes too much memory to make' },
  });
  const inTurn = createInTurn([runner]);
  return {
    /** Workspaces have their turns one after the other. `undefined`: the turn came after `until`. */
    compose: (letter: Letter, { ws, until }: Leave = anyTime): Promise<Composition | undefined> =>
      inTurn(ws, async ({ run }) => {
        if (performance.now() > until) return undefined;
        const { reply, cpuMs } = await run(letter);
        onSpent?.(ws, cpuMs);
        return reply;
      }),
    close: runner.close,
  };
};

export type Composer = ReturnType<typeof openComposer>;
