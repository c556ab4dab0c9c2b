import { randomBytes } from 'node:crypto';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { commandTimeoutMs } from './connection.ts';
import { createGathering } from './gather.ts';
import { type Group, groupId, intoGroups, oldestStamp, type Sized } from './group.ts';
import type { QueueName } from './names.ts';
import { within } from './unavailable.ts';

/** Finished jobs leave nothing behind: what became of a request stands in MongoDB. */
const jobOptions = {
  attempts: 1,
  removeOnComplete: true,
  removeOnFail: { count: 1000 },
  stackTraceLimit: 3,
  keepLogs: 0,
};

export const openQueue = (queue: QueueName, connection: Redis): Queue =>
  new Queue(queue.name, {
    connection,
    prefix: queue.prefix,
    skipWaitingForReady: true,
    streams: { events: { maxLen: 100 } },
    defaultJobOptions: jobOptions,
  });

export const jobName = (group: Group): string => group.requests[0]?.op ?? 'empty';

export type Enqueue = (item: Sized) => Promise<void>;

/** Writes gathered requests, one job a group, each group to the next partition: the order is carried by the stamps. */
export const createEnqueue = (options: {
  redis: Redis;
  queues: QueueName[];
  waitReplicas: number;
}): { enqueue: Enqueue; close(): Promise<void> } => {
  const { redis, waitReplicas } = options;
  const queues = options.queues.map((queue) => openQueue(queue, redis));
  for (const queue of queues) queue.on('error', () => {});
  let turn = 0;

  const add = async (group: Group): Promise<void> => {
    const queue = queues[turn++ % queues.length] as Queue;
    const jobId = groupId(oldestStamp(group), randomBytes(6).toString('hex'));
    await within(commandTimeoutMs, queue.add(jobName(group), group, { jobId }));
    if (waitReplicas === 0) return;
    const reached = await within(commandTimeoutMs, redis.wait(waitReplicas, 200));
    if (reached < waitReplicas)
      throw new Error(`only ${reached} of ${waitReplicas} replicas have the request`);
  };

  /** One failed group must not speak for its neighbours: each request learns of its own. */
  const write = async (items: Sized[]): Promise<(unknown | undefined)[]> => {
    const groups = intoGroups(items);
    const results = await Promise.allSettled(groups.map(add));
    return groups.flatMap((group, index) => {
      const result = results[index];
      return group.requests.map(() => (result?.status === 'rejected' ? result.reason : undefined));
    });
  };

  const gather = createGathering(write);
  return {
    async enqueue(item) {
      const error = await gather(item);
      if (error !== undefined) throw error;
    },
    async close() {
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
};
