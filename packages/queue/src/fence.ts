import type { AcceptedRequest } from '@roster/contract';
import type { Redis } from 'ioredis';
import { stampOfGroupId } from './group.ts';
import { type QueueName, queueKey } from './names.ts';

/** What is unfinished in one queue: the job ids at work, and those at the front of the line. */
export interface Unfinished {
  active: string[];
  front: string[];
}

/**
 * How far into the line the fence looks. A queue hands out its jobs in the order in which they were added and puts those of a dead
 * worker back at the front, but in any order among themselves. There are never more of them than all workers of a queue hold at once
 * (4 each): new jobs are taken only when no returned one waits. So this is enough for 64 workers.
 */
export const frontLength = 256;

/**
 * The fence, as a rule: everything that was queued before the stamp was taken is finished.
 *
 * Whatever was added before the stamp was taken has a lower stamp; whatever is stamped higher was added later. Behind the returned
 * jobs the line is in the order of adding, so once everything at its front is stamped higher, nothing lower waits behind it.
 */
export const isPast = (stamp: number, queues: readonly Unfinished[]): boolean =>
  oldestOf(queues, nobodys) > stamp;

const nobodys: ReadonlySet<number> = new Set();

/** The oldest stamp of what is unfinished, leaving out the jobs whose oldest request is one of one's own. */
export const oldestOf = (queues: readonly Unfinished[], own: ReadonlySet<number>): number => {
  let oldest = Number.POSITIVE_INFINITY;
  for (const { active, front } of queues) {
    for (const id of [...active, ...front]) {
      const stamp = stampOfGroupId(id) ?? 0;
      if (stamp < oldest && !own.has(stamp)) oldest = stamp;
    }
  }
  return oldest;
};

/** Both lists at one moment: a job that moves between them must be seen in one of them. */
export const readUnfinished = async (redis: Redis, queue: QueueName): Promise<Unfinished> => {
  const [front, active] =
    (await redis
      .multi()
      .lrange(queueKey(queue, 'wait'), -frontLength, -1)
      .lrange(queueKey(queue, 'active'), 0, -1)
      .exec()) ?? [];
  return { front: (front?.[1] ?? []) as string[], active: (active?.[1] ?? []) as string[] };
};

const readAll = (redis: Redis, queues: readonly QueueName[]): Promise<Unfinished[]> =>
  Promise.all(queues.map((queue) => readUnfinished(redis, queue)));

/** The oldest stamp of what is unfinished apart from the jobs that begin with one of these; infinite when there is nothing else. */
export type OldestBeside = (own: ReadonlySet<number>) => Promise<number>;

export const createOldestBeside =
  (redis: Redis, queues: readonly QueueName[]): OldestBeside =>
  async (own) =>
    oldestOf(await readAll(redis, queues), own);

export interface Fence {
  isPast(stamp: number): Promise<boolean>;
  /** True once everything accepted before the stamp is finished; false when that takes longer than `ms`. */
  wait(stamp: number, ms: number): Promise<boolean>;
}

export const createFence = (redis: Redis, queues: readonly QueueName[]): Fence => {
  const passed = async (stamp: number): Promise<boolean> => isPast(stamp, await readAll(redis, queues));
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

/** Which of these requests may be applied now; by their ids. */
export type Gate = (requests: readonly AcceptedRequest[]) => Promise<ReadonlySet<string>>;

/** By workspace, a stamp: requests with a higher one have to wait. */
export type HeldUp = (requests: readonly AcceptedRequest[]) => Promise<ReadonlyMap<string, number>>;

const nothingHeldUp: HeldUp = async () => new Map();

/** The fence for each request by itself: a batch whose first requests have passed is not held up by its last ones. */
export const createGate =
  (redis: Redis, queues: readonly QueueName[], heldUp: HeldUp = nothingHeldUp): Gate =>
  async (requests) => {
    const oldest = oldestOf(await readAll(redis, queues), nobodys);
    const from = await heldUp(requests);
    const hasPassed = ({ ws, at }: AcceptedRequest): boolean =>
      at < oldest && at < (from.get(ws) ?? Number.POSITIVE_INFINITY);
    return new Set(requests.filter(hasPassed).map(({ id }) => id));
  };
