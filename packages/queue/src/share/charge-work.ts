/** Takes points from the pool of a workspace outside of the ingress: for work that is done, and for background work. */
import type { Redis } from 'ioredis';
import { limitKey } from '../names.ts';

/** The limit of the workspace's pool: so many points in so many seconds. */
interface WorkRate {
  pool: string;
  requests: number;
  seconds: number;
}

export interface Charge {
  ws: string;
  /** `limitFor(settings, work)`. */
  rate: WorkRate;
  points: number;
}

/** A debt is spread over this many windows at most, so that one mistake does not block a workspace for long. */
const mostWindows = 10;

const windowAt = ({ seconds }: WorkRate, nowMs: number): number => Math.floor(nowMs / 1000 / seconds);

/** Takes points from the current window while there is `room`, and the rest from the next windows, `most` from each. */
const spread = async (
  redis: Redis,
  { ws, rate, points }: Charge,
  { room, most, nowMs }: { room: number; most: number; nowMs: number },
): Promise<void> => {
  const first = windowAt(rate, nowMs);
  const writing = redis.multi();
  let due = Math.ceil(points);
  for (let n = 0; n < mostWindows && due > 0; n++) {
    const part = Math.min(due, n === 0 ? room : most);
    const key = limitKey(ws, rate.pool, first + n);
    writing.incrby(key, part).expire(key, (n + 1) * rate.seconds + 5);
    due -= part;
  }
  await writing.exec();
};

/**
 * Takes the points from the current window of the workspace. More than a whole window is taken from the next ones. An ingress notices when it
 * takes its next portion.
 */
export const chargeWork = async (redis: Redis, charge: Charge, nowMs = Date.now()): Promise<void> => {
  const { requests } = charge.rate;
  await spread(redis, charge, { room: requests, most: requests, nowMs });
};

/**
 * Takes the points unless the given part of the current window is used up: then the work has to wait. More than the rest is taken from the
 * next windows.
 */
const chargeUpTo = async (redis: Redis, charge: Charge, most: number, nowMs: number): Promise<boolean> => {
  const { ws, rate } = charge;
  const used = Number(await redis.get(limitKey(ws, rate.pool, windowAt(rate, nowMs))));
  if (used >= most) return false;
  await spread(redis, charge, { room: most - used, most, nowMs });
  return true;
};

/** For work that has a pool of its own. */
export const chargeAhead = (redis: Redis, charge: Charge, nowMs = Date.now()): Promise<boolean> =>
  chargeUpTo(redis, charge, charge.rate.requests, nowMs);

/** The part of a window for background work: the rest is for callers. */
const backgroundShare = 1 / 2;

/** For work in the pool of the callers, while this share of it is not used up by either. */
export const chargeBackground = (redis: Redis, charge: Charge, nowMs = Date.now()): Promise<boolean> =>
  chargeUpTo(redis, charge, Math.max(1, Math.floor(charge.rate.requests * backgroundShare)), nowMs);
