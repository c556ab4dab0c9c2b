/** Makes emails in a thread of its own, one at a time: nothing that stands in one stops the process. */
import { createRunner, type Runner, type ThreadLimits } from '@roster/threads';
import type { Composition } from './compose.ts';
import type { Letter } from './letter.ts';

/** A last resort, far above what `costs.ts` lets through. */
const usual: ThreadLimits = { cpuMs: 10_000, wallMs: 40_000, renewMs: 0, heapMb: 96 };

const tooLong: Composition = { fault: 'the email takes too much time to make' };
const tooLarge: Composition = { fault: 'the email takes too much memory to make' };

export interface Composer {
  /** `server`: emails of one server wait for each other, so that those of others come in between. `undefined`: its turn came after `until`. */
  compose(server: string, letter: Letter, until?: number): Promise<Composition | undefined>;
  close(): Promise<void>;
}

/** Tests run from the sources, where there is no script to start. */
const isSource = import.meta.url.endsWith('.ts');

type EmailRunner = Pick<Runner<Letter, Composition>, 'run' | 'close'>;

const createOwnThread = (): EmailRunner => ({
  async run(letter) {
    const { compose } = await import('./compose.ts');
    return { reply: await compose(letter), cpuMs: 0 };
  },
  close: async () => {},
});

interface ComposerOptions {
  script?: URL;
  limits?: Partial<ThreadLimits>;
}

const start = ({ script, limits = {} }: ComposerOptions): EmailRunner =>
  isSource && !script
    ? createOwnThread()
    : createRunner<Letter, Composition>({
        script: script ?? new URL('./email-thread.js', import.meta.url),
        limits: { ...usual, ...limits },
        tooLong,
        tooLarge,
      });

/** The options are for tests. */
export const openComposer = (options: ComposerOptions = {}): Composer => {
  /** With the first email: what it is made with is large. */
  let runner: EmailRunner | undefined;
  const lines = new Map<string, Promise<unknown>>();
  const run = async (letter: Letter): Promise<Composition> => {
    runner ??= start(options);
    return (await runner.run(letter)).reply;
  };
  return {
    async compose(server, letter, until = Number.POSITIVE_INFINITY) {
      const runInTime = () => (performance.now() > until ? Promise.resolve(undefined) : run(letter));
      const before = lines.get(server);
      const done = before ? before.then(runInTime) : runInTime();
      const settled = done.catch(() => {});
      lines.set(server, settled);
      try {
        return await done;
      } finally {
        if (lines.get(server) === settled) lines.delete(server);
      }
    },
    close: async () => runner?.close(),
  };
};
