/** Work that is known only after it was done, such as the bytes of profiles that a request made a worker load. */
import type { Redis } from 'ioredis';
import { limitKey } from './names.ts';

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

/** A debt is paid by so many windows at most: one mistake does not block a workspace for long. */
const mostWindows = 10;

/**
 * Takes the points from the current window of the workspace, and what is more than a whole window from the next ones. An ingress sees
 * it when it asks for its next portion.
 */
export const chargeWork = async (
  redis: Redis,
  { ws, rate, points }: Charge,
  nowMs = Date.now(),
): Promise<void> => {
  const { pool, requests, seconds } = rate;
  const first = Math.floor(nowMs / 1000 / seconds);
  const writing = redis.multi();
  let due = Math.ceil(points);
  for (let n = 0; n < mostWindows && due > 0; n++, due -= requests) {
    const key = limitKey(ws, pool, first + n);
    writing.incrby(key, Math.min(due, requests)).expire(key, (n + 1) * seconds + 5);
  }
  await writing.exec();
};
