import { randomBytes } from 'node:crypto';
import { Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { commandTimeoutMs } from './connection.ts';
import { createGathering } from './gather.ts';
import { groupId, intoGroups, type Outgoing, type Sized } from './group.ts';
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

const queueOptions = ({ prefix }: QueueName, connection: Redis) => ({
  connection,
  prefix,
  streams: { events: { maxLen: 100 } },
  defaultJobOptions: jobOptions,
});

export const openQueue = (queue: QueueName, connection: Redis): Queue =>
  new Queue(queue.name, queueOptions(queue, connection));

/** JSON that is ready: BullMQ would write it anew, with every quote of it escaped. */
interface ReadyJson {
  json: Buffer;
  toJSON(): null;
}

class GroupJob extends Job<ReadyJson> {
  override asJSON() {
    // To BullMQ it is a text; on its way to the socket a text and its bytes are the same.
    return { ...super.asJSON(), data: this.data.json as unknown as string };
  }
}

/** BullMQ's own way to give a queue other jobs. */
class GroupQueue extends Queue {
  protected override get Job() {
    return GroupJob as unknown as typeof Job;
  }
}

type KeptOpen = () => GroupQueue;

/** BullMQ gives a queue up for good when the connection breaks while it gets to know it; then there has to be another one. */
const keptOpen = (name: QueueName, redis: Redis): KeptOpen => {
  const open = (): GroupQueue => {
    const made = new GroupQueue(name.name, queueOptions(name, redis));
    made.on('error', () => {});
    made.waitUntilReady().catch(() => {
      if (redis.status !== 'end') queue = open();
    });
    return made;
  };
  let queue = open();
  return () => queue;
};

export type Enqueue = (item: Sized) => Promise<void>;

/** Writes gathered requests, one job a group, each group to the next partition: the order is carried by the stamps. */
export const createEnqueue = (options: {
  redis: Redis;
  queues: QueueName[];
  waitReplicas: number;
}): { enqueue: Enqueue; close(): Promise<void> } => {
  const { redis, waitReplicas } = options;
  const queues = options.queues.map((name) => keptOpen(name, redis));
  let turn = 0;

  const add = async ({ op, oldest, json }: Outgoing): Promise<void> => {
    const queue = (queues[turn++ % queues.length] as KeptOpen)();
    const jobId = groupId(oldest, randomBytes(6).toString('hex'));
    const data: ReadyJson = { json, toJSON: () => null };
    await within(commandTimeoutMs, queue.add(op, data, { jobId }));
    if (waitReplicas === 0) return;
    const reached = await within(commandTimeoutMs, redis.wait(waitReplicas, 200));
    if (reached < waitReplicas)
      throw new Error(`only ${reached} of ${waitReplicas} replicas have the request`);
  };

  /** One failed group must not speak for its neighbours: each request learns of its own. */
  const write = async (items: Sized[]): Promise<unknown[]> => {
    const groups = intoGroups(items);
    const results = await Promise.allSettled(groups.map(add));
    return groups.flatMap((group, index) => {
      const result = results[index];
      const error = result?.status === 'rejected' ? result.reason : undefined;
      return Array.from({ length: group.members }, () => error);
    });
  };

  const gather = createGathering(write);
  return {
    async enqueue(item) {
      const error = await gather(item);
      if (error !== undefined) throw error;
    },
    async close() {
      await Promise.all(queues.map((queue) => queue().close()));
    },
  };
};
