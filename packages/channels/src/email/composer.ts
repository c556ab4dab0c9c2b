/** Makes emails in a thread of its own, one at a time: nothing that stands in one stops the process. */
import { createInPlace, createInTurn, createRunner, type Runner, type ThreadLimits } from '@roster/threads';
import type { Leave } from '../outgoing.ts';
import { anyTime } from '../places.ts';
import type { Composition } from './compose.ts';
import { limits as costs } from './costs.ts';
import type { Letter } from './letter.ts';

/** A last resort, far above what `costs.ts` lets through. */
const usual: ThreadLimits = { cpuMs: 10_000, wallMs: 40_000, renewMs: 0, heapMb: 96 };

const tooLong: Composition = { fault: 'the email takes too much time to make' };
const tooLarge: Composition = { fault: 'the email takes too much memory to make' };

/** Tests run from the sources, where there is no script to start. */
const isSource = import.meta.url.endsWith('.ts');

type EmailRunner = Runner<Letter, Composition>;

export interface ComposerOptions {
  /** Is told the milliseconds of CPU that an email of the workspace took. */
  onSpent?(ws: string, cpuMs: number): void;
  /** The others are for tests. */
  script?: URL;
  limits?: Partial<ThreadLimits>;
}

const start = ({ script, limits = {} }: ComposerOptions): EmailRunner =>
  (isSource && !script) || !costs.isInThread
    ? createInPlace(async (letter) => (await import('./compose.ts')).compose(letter))
    : createRunner({
        script: script ?? new URL('./email-thread.js', import.meta.url),
        limits: { ...usual, ...limits },
        tooLong,
        tooLarge,
      });

export const openComposer = (options: ComposerOptions = {}) => {
  /** With the first email: what it is made with is large. */
  let runner: EmailRunner | undefined;
  const inTurn = createInTurn([
    (letter: Letter) => {
      runner ??= start(options);
      return runner.run(letter);
    },
  ]);
  return {
    /** Workspaces have their turns one after the other. `undefined`: the turn came after `until`. */
    compose: (letter: Letter, { ws, until }: Leave = anyTime): Promise<Composition | undefined> =>
      inTurn(ws, async (run) => {
        if (performance.now() > until) return undefined;
        const { reply, cpuMs } = await run(letter);
        options.onSpent?.(ws, cpuMs);
        return reply;
      }),
    close: async () => runner?.close(),
  };
};

export type Composer = ReturnType<typeof openComposer>;
