/** Gives jobs to the threads: each owner's in their order, the owners in turn, so that many jobs of one do not hold up a single one of another. */
import type { Done as DoneOf, Runner as RunnerOf } from '@roster/threads';
import type { Job, Reply } from './fault.ts';

type Done = DoneOf<Reply>;
type Runner = RunnerOf<Job, Reply>;

type Waiting = (runner: Pick<Runner, 'run'>) => Promise<void>;

export const createInTurn = (runners: readonly Pick<Runner, 'run'>[]) => {
  const free = [...runners];
  /** By owner. Who stands first is next, and then goes to the end. */
  const lines = new Map<string, Waiting[]>();

  const next = (): Waiting | undefined => {
    const [entry] = lines;
    if (!entry) return undefined;
    const [owner, line] = entry;
    const first = line.shift();
    lines.delete(owner);
    if (line.length > 0) lines.set(owner, line);
    return first;
  };

  const go = (): void => {
    while (lines.size > 0) {
      const runner = free.shift();
      if (!runner) return;
      const begin = next();
      void begin?.(runner).finally(() => {
        free.push(runner);
        go();
      });
    }
  };

  return (owner: string, job: Job): Promise<Done> =>
    new Promise((resolve, reject) => {
      const line = lines.get(owner) ?? [];
      line.push((runner) => runner.run(job).then(resolve, reject));
      lines.set(owner, line);
      go();
    });
};
