import { createRunner, type Runner, type RunnerOptions } from './runner.ts';

type Work<Job, Reply> = (job: Job) => Reply | Promise<Reply>;

/** For tests that run from the sources, where there is no script to start: without the limits of time and memory that only a thread has. */
export const createInPlace = <Job, Reply>(work: Work<Job, Reply>): Runner<Job, Reply> => ({
  async run(job) {
    const before = process.cpuUsage();
    const reply = await work(job);
    const { user, system } = process.cpuUsage(before);
    return { reply, cpuMs: (user + system) / 1000 };
  },
  close: async () => {},
});

export const isSource = import.meta.url.endsWith('.ts');

interface OpenOptions<Job, Reply> extends Omit<RunnerOptions<Reply>, 'script'> {
  /** What the script of the thread does. */
  work: Work<Job, Reply>;
  built: URL;
  /** For tests: instead of the one that is built. */
  script: URL | undefined;
  isInThread(): boolean;
}

/** Begins with the first job. */
export const openRunner = <Job, Reply>(options: OpenOptions<Job, Reply>): Runner<Job, Reply> => {
  const { work, built, script, isInThread, ...usual } = options;
  let runner: Runner<Job, Reply> | undefined;
  let closed = false;
  return {
    async run(job) {
      if (closed) throw new Error('the thread is closed');
      runner ??=
        (isSource && !script) || !isInThread()
          ? createInPlace(work)
          : createRunner({ ...usual, script: script ?? built });
      return runner.run(job);
    },
    async close() {
      closed = true;
      await runner?.close();
    },
  };
};
