/** The unfinished jobs of a queue, and the oldest stamp among them. */
import type { Redis } from 'ioredis';
import { stampOfGroupId } from './group-id.ts';
import { type QueueName, queueKey } from './names.ts';

/** The unfinished jobs of one queue: the ids of active jobs, and of jobs at the front of the line. */
export interface Unfinished {
  active: string[];
  front: string[];
  /** The line is longer than the front. */
  goesOn?: boolean;
}

/**
 * How far into the line the fence looks. A queue hands out its jobs in the order in which they were added and puts those of a dead
 * worker back at the front, but in any order among themselves. There are never more of them than all workers of a queue hold at once
 * (4 each): new jobs are taken only when no returned one waits. So this is enough for 64 workers.
 */
export const frontLength = 256;

export const noStamps: ReadonlySet<number> = new Set();

/** The oldest unfinished stamp, without the jobs that begin with a request of the caller. */
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
export const readUnfinished = async (
  redis: Redis,
  queue: QueueName,
  length = frontLength,
): Promise<Unfinished> => {
  const [front, active] =
    (await redis
      .multi()
      .lrange(queueKey(queue, 'wait'), -length, -1)
      .lrange(queueKey(queue, 'active'), 0, -1)
      .exec()) ?? [];
  const ids = (front?.[1] ?? []) as string[];
  return { front: ids, active: (active?.[1] ?? []) as string[], goesOn: ids.length >= length };
};

/** At most so many jobs of other workspaces are read. One job is about 40 bytes of answer. */
const longestLook = 4096;

export const readLong = (redis: Redis, queues: readonly QueueName[]): Promise<Unfinished[]> =>
  Promise.all(queues.map((queue) => readUnfinished(redis, queue, queue.heavy ? longestLook : frontLength)));
