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

/** Takes turns: everything handed over since the last turn goes into the next one. One turn at a time, unless told otherwise. */
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

  const take = (): Waiting[] => {
    const jobs = waiting.map(({ job }) => job);
    return waiting.splice(0, takeCount(jobs, limits));
  };

  const once = async (): Promise<void> => {
    const taken = take();
    try {
      await turn(taken.map(({ job }) => job));
      for (const { resolve } of taken) resolve();
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
  };

  const run = async (): Promise<void> => {
    while (waiting.length > 0) await once();
    running -= 1;
  };

  return (job: Job): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ job, resolve, reject });
      if (running >= atOnce) return;
      running += 1;
      // After the jobs that came with the same read from Redis.
      setImmediate(run);
    });
};
