import type { Redis } from 'ioredis';
import type { QueueName } from './names.ts';
import { ofWorkspace } from './oldest-of-workspace.ts';
import { noStamps, oldestOf, readLong, readUnfinished, type Unfinished } from './unfinished.ts';

/**
 * The fence, as a rule: everything that was queued before the stamp was taken is finished.
 *
 * Jobs that were added before the stamp was taken have lower stamps; jobs with higher stamps were added later. Behind the returned
 * jobs the line is in the order of adding, so once everything at its front is stamped higher, nothing lower waits behind it.
 */
export const isPast = (stamp: number, queues: readonly Unfinished[]): boolean =>
  oldestOf(queues, noStamps) > stamp;

const readAll = (redis: Redis, queues: readonly QueueName[]): Promise<Unfinished[]> =>
  Promise.all(queues.map((queue) => readUnfinished(redis, queue)));

export interface Fence {
  /** Of this workspace, or of all. */
  isPast(stamp: number, ws?: string): Promise<boolean>;
  /** True once everything accepted before the stamp, of this workspace or of all, is finished; false when that takes longer than `ms`. */
  wait(stamp: number, ms: number, ws?: string): Promise<boolean>;
}

export const createFence = (redis: Redis, queues: readonly QueueName[]): Fence => {
  const passed = async (stamp: number, ws?: string): Promise<boolean> => {
    const seen = await readAll(redis, queues);
    if (isPast(stamp, seen)) return true;
    if (ws === undefined) return false;
    if (isPast(stamp, ofWorkspace(ws, seen))) return true;
    const isLong = seen.some(({ goesOn }) => goesOn);
    return isLong && isPast(stamp, ofWorkspace(ws, await readLong(redis, queues)));
  };
  return {
    isPast: passed,
    async wait(stamp, ms, ws) {
      const until = performance.now() + ms;
      for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
        if (await passed(stamp, ws)) return true;
        if (performance.now() + pause > until) return false;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    },
  };
};
