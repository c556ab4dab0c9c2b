import type { Runner } from './runner.ts';

/** For tests that run from the sources, where there is no script to start: without the limits of time and memory that only a thread has. */
export const createInPlace = <Job, Reply>(
  work: (job: Job) => Reply | Promise<Reply>,
): Runner<Job, Reply> => ({
  async run(job) {
    const before = process.cpuUsage();
    const reply = await work(job);
    const { user, system } = process.cpuUsage(before);
    return { reply, cpuMs: (user + system) / 1000 };
  },
  close: async () => {},
});
