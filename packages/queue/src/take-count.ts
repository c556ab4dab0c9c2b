/** How many of the waiting requests a turn takes. */
import type { Group } from './group.ts';

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
 * How many of the leased jobs the next turn takes: as many as fit, at least one. A job that a worker did not survive runs
 * alone, so that its neighbours don't go down with it again.
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
