/** Whether requests of callers wait or are at work, in any lane. */
import type { Redis } from 'ioredis';
import { isBackground } from '../group.ts';
import type { QueueName } from '../names.ts';
import { readUnfinished } from '../order/fence.ts';

/** Syncs have fewer jobs than this on their way, so one of a caller is among them. */
const length = 64;

export const callersWait = async (redis: Redis, queues: readonly QueueName[]): Promise<boolean> => {
  const unfinished = await Promise.all(queues.map((queue) => readUnfinished(redis, queue, length)));
  return unfinished.some(({ active, front }) => [...active, ...front].some((id) => !isBackground(id)));
};
