import { alternating, type BatchLimits, type Leased, takeCount } from './take-count.ts';

interface Waiting<Job> {
  job: Job;
  resolve(): void;
  reject(error: unknown): void;
}

interface Lane<Job> {
  waiting: Waiting<Job>[];
  running: number;
}

const newLane = <Job>(): Lane<Job> => ({ waiting: [], running: 0 });

const stalledFirst = <Job extends Leased>({ waiting }: Lane<Job>): boolean =>
  (waiting[0]?.job.stalls ?? 0) > 0;

/** Takes the jobs of the next turn out of the lane. */
const takeFrom = <Job extends Leased>(lane: Lane<Job>, limits: BatchLimits): Waiting<Job>[] => {
  const jobs = stalledFirst(lane)
    ? lane.waiting.map(({ job }) => job)
    : alternating(lane.waiting.map(({ job }) => job));
  const chosen = new Set(jobs.slice(0, takeCount(jobs, limits)));
  const taken = lane.waiting.filter(({ job }) => chosen.has(job));
  lane.waiting = lane.waiting.filter(({ job }) => !chosen.has(job));
  return taken;
};

/**
 * Takes turns: all jobs handed over since the last turn go into the next one. One turn at a time, unless the limits say otherwise; a job
 * that stalled before runs alone, so that no other job goes down with it.
 *
 * Jobs of heavy workspaces have turns of their own, so that other jobs do not wait until a heavy turn is over. Up to `atOnce` heavy turns
 * run while no normal job waits, and one otherwise: so neither lane stops the other.
 */
export const createTurns = <Job extends Leased>(
  limits: BatchLimits,
  turn: (jobs: Job[]) => Promise<void>,
  atOnce = 1,
) => {
  const normal = newLane<Job>();
  const heavy = newLane<Job>();
  let exclusive = false;
  let awake = false;

  const mayStart = (lane: Lane<Job>): boolean => {
    if (lane.waiting.length === 0 || exclusive) return false;
    const idle = normal.running + heavy.running === 0;
    if (stalledFirst(normal) || stalledFirst(heavy)) return idle && stalledFirst(lane);
    return lane.running < (lane === heavy && normal.waiting.length > 0 ? 1 : atOnce);
  };

  const once = async (lane: Lane<Job>): Promise<void> => {
    const taken = takeFrom(lane, limits);
    lane.running += 1;
    exclusive = taken.some(({ job }) => job.stalls > 0);
    try {
      await turn(taken.map(({ job }) => job));
      for (const { resolve } of taken) resolve();
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
    lane.running -= 1;
    exclusive = false;
  };

  const pump = (): void => {
    awake = false;
    for (const lane of [normal, heavy]) {
      while (mayStart(lane)) void once(lane).then(pump);
    }
  };

  return (job: Job): Promise<void> =>
    new Promise((resolve, reject) => {
      (job.heavy ? heavy : normal).waiting.push({ job, resolve, reject });
      if (awake) return;
      awake = true;
      // After the jobs that came with the same read from Redis.
      setImmediate(pump);
    });
};
