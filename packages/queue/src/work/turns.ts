import type { Group } from '../group.ts';

export interface BatchLimits {
  requests: number;
  entries: number;
  bytes: number;
}

/** A job that this worker has leased. `stalls` counts how often its worker vanished before. */
export interface Leased {
  group: Group;
  stalls: number;
  /** The job of a workspace that sends more than its share. */
  heavy?: boolean;
}

/**
 * How many of the leased jobs the next turn takes: as many as fit, at least one. A job whose worker vanished runs alone, so that its
 * neighbours are not hit again.
 */
export const takeCount = (leased: readonly Leased[], limits: BatchLimits): number => {
  const total = { requests: 0, entries: 0, bytes: 0 };
  let count = 0;
  for (const { group, stalls } of leased) {
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
 * Orders the leased jobs so that workspaces alternate: the second job of a workspace comes after the first job of every other. A job
 * with requests of several workspaces counts for the workspace of its first request.
 */
export const alternating = <Job extends Leased>(leased: readonly Job[]): Job[] => {
  const seen = new Map<string, number>();
  const rounds = leased.map((job) => {
    const ws = job.group.requests[0]?.[1] ?? '';
    const round = seen.get(ws) ?? 0;
    seen.set(ws, round + 1);
    return { job, round };
  });
  if (seen.size < 2) return [...leased];
  return rounds.toSorted((a, b) => a.round - b.round).map(({ job }) => job);
};

interface WaitingJob<Job> {
  job: Job;
  resolve(): void;
  reject(error: unknown): void;
}

interface Lane<Job> {
  waiting: WaitingJob<Job>[];
  running: number;
}

const newLane = <Job>(): Lane<Job> => ({ waiting: [], running: 0 });

const stalledFirst = <Job extends Leased>({ waiting }: Lane<Job>): boolean =>
  (waiting[0]?.job.stalls ?? 0) > 0;

/** Takes the jobs of the next turn out of the lane. */
const takeFrom = <Job extends Leased>(lane: Lane<Job>, limits: BatchLimits): WaitingJob<Job>[] => {
  const jobs = stalledFirst(lane)
    ? lane.waiting.map(({ job }) => job)
    : alternating(lane.waiting.map(({ job }) => job));
  const chosen = new Set(jobs.slice(0, takeCount(jobs, limits)));
  const taken = lane.waiting.filter(({ job }) => chosen.has(job));
  lane.waiting = lane.waiting.filter(({ job }) => !chosen.has(job));
  return taken;
};

/**
 * Runs turns: all jobs since the last turn go into the next one. One turn at a time, unless the limits say otherwise; a job that stalled
 * before runs alone. Jobs of heavy workspaces have turns of their own, so that other jobs do not wait for a heavy turn. Up to `atOnce` heavy
 * turns run while no normal job waits, and one otherwise: so both lanes always go on.
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
      // After the other jobs of the same read from Redis.
      setImmediate(pump);
    });
};
