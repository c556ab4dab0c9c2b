import type { Redis } from 'ioredis';
import { stampOfGroupId } from './group.ts';
import { type QueueName, queueKey } from './names.ts';

/** What is unfinished in one queue: the job ids at work, and the one that has waited longest. */
export interface Unfinished {
  active: string[];
  longestWaiting: string | null;
}

/**
 * The fence, as a rule: everything that was queued before the stamp was taken is finished.
 *
 * A queue hands out its jobs in the order in which they were added, and puts back what a dead worker held at the front. Whatever was
 * added before the stamp was taken has a lower stamp, whatever is stamped higher was added later. So once the longest waiting
 * job is stamped higher, nothing lower waits behind it.
 */
export const isPast = (stamp: number, queues: readonly Unfinished[]): boolean =>
  queues.every(({ active, longestWaiting }) =>
    [...active, ...(longestWaiting ? [longestWaiting] : [])].every((id) => (stampOfGroupId(id) ?? 0) > stamp),
  );

/** Both lists at one moment: a job that moves between them must be seen in one of them. */
export const readUnfinished = async (redis: Redis, queue: QueueName): Promise<Unfinished> => {
  const [waiting, active] =
    (await redis
      .multi()
      .lindex(queueKey(queue, 'wait'), -1)
      .lrange(queueKey(queue, 'active'), 0, -1)
      .exec()) ?? [];
  return { longestWaiting: (waiting?.[1] ?? null) as string | null, active: (active?.[1] ?? []) as string[] };
};

export interface Fence {
  isPast(stamp: number): Promise<boolean>;
  /** True once everything accepted before the stamp is finished; false when that takes longer than `ms`. */
  wait(stamp: number, ms: number): Promise<boolean>;
}

export const createFence = (redis: Redis, queues: readonly QueueName[]): Fence => {
  const passed = async (stamp: number): Promise<boolean> =>
    isPast(stamp, await Promise.all(queues.map((queue) => readUnfinished(redis, queue))));
  return {
    isPast: passed,
    async wait(stamp, ms) {
      const until = performance.now() + ms;
      for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
        if (await passed(stamp)) return true;
        if (performance.now() + pause > until) return false;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    },
  };
};
