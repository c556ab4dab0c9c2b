/** CPU time of the thread that asks, and what a piece of work took of it. */
import { existsSync, readFileSync } from 'node:fs';

const schedule = '/proc/self/schedstat';
const isTold = existsSync(schedule);

/**
 * What the thread of the event loop has worked so far, in milliseconds, where Linux tells. Elsewhere what all threads have, those of the
 * garbage collection among them, which block nothing.
 */
export const threadMs = (): number => {
  if (isTold) return Number(readFileSync(schedule, 'utf8').split(' ')[0]) / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Linux brings the figure up to date every few milliseconds: what is short is repeated for so long. */
const tryMs = 40;

/** CPU time of a piece of work. */
export const workMs = (work: () => unknown): number => {
  const [before, until] = [threadMs(), performance.now() + tryMs];
  let times = 0;
  do {
    work();
    times += 1;
  } while (performance.now() < until);
  return (threadMs() - before) / times;
};

/** Of so many tries: the first ones are slow because nothing is compiled yet, others because of the neighbours. */
export const leastWorkMs = (tries: number, work: () => unknown): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < tries; n++) least = Math.min(least, workMs(work));
  return least;
};
