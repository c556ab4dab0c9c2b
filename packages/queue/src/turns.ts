import type { Group } from './group.ts';

export interface BatchLimits {
  requests: number;
  entries: number;
  bytes: number;
}

/** A job in hand. `stalls` counts how often its worker vanished before. */
export interface Held {
  group: Group;
  stalls: number;
}

/**
 * How many of the jobs in hand the next turn takes: as many as fit, at least one. A job that a worker did not survive goes by
 * itself, so that its neighbours don't go down with it again.
 */
export const takeCount = (held: readonly Held[], limits: BatchLimits): number => {
  const total = { requests: 0, entries: 0, bytes: 0 };
  let count = 0;
  for (const { group, stalls } of held) {
    total.requests += group.requests.length;
    total.entries += group.entries;
    total.bytes += group.bytes;
    const fits =
      total.requests <= limits.requests && total.entries <= limits.entries && total.bytes <= limits.bytes;
    if (count > 0 && (!fits || stalls > 0)) break;
    count += 1;
    if (stalls > 0) break;
  }
  return count;
};

/**
 * Takes turns: everything handed over since the last turn goes into the next one. One turn at a time, unless told otherwise; a job
 * that stalled before has the process to itself, so that nobody else goes down with it.
 */
export const createTurns = <Job extends Held>(
  limits: BatchLimits,
  turn: (jobs: Job[]) => Promise<void>,
  atOnce = 1,
) => {
  interface Waiting {
    job: Job;
    resolve(): void;
    reject(error: unknown): void;
  }
  const waiting: Waiting[] = [];
  let running = 0;
  let exclusive = false;
  let awake = false;

  const mayStart = (): boolean => {
    const [next] = waiting;
    if (!next || exclusive || running >= atOnce) return false;
    return running === 0 || next.job.stalls === 0;
  };

  const once = async (): Promise<void> => {
    const jobs = waiting.map(({ job }) => job);
    const taken = waiting.splice(0, takeCount(jobs, limits));
    running += 1;
    exclusive = taken.some(({ job }) => job.stalls > 0);
    try {
      await turn(taken.map(({ job }) => job));
      for (const { resolve } of taken) resolve();
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
    running -= 1;
    exclusive = false;
  };

  const pump = (): void => {
    awake = false;
    while (mayStart()) void once().then(pump);
  };

  return (job: Job): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ job, resolve, reject });
      if (awake) return;
      awake = true;
      // After the jobs that came with the same read from Redis.
      setImmediate(pump);
    });
};
