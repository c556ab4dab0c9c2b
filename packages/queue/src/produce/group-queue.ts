/** Opens the queues of BullMQ, with a group as JSON that is ready. */
import { Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { QueueName } from '../names.ts';

/** Finished jobs leave nothing behind: the outcome of a request is in MongoDB. */
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

/** Errors of the connection are not reported: see connection.ts. */
const silent = <Opened extends Queue>(queue: Opened): Opened => queue.on('error', () => {});

export const openQueue = (queue: QueueName, connection: Redis): Queue =>
  silent(new Queue(queue.name, queueOptions(queue, connection)));

/** JSON that is ready: BullMQ would stringify it again and escape every quote. */
export interface ReadyJson {
  json: Buffer;
  toJSON(): null;
}

class GroupJob extends Job<ReadyJson> {
  override asJSON() {
    // For BullMQ it is a text; on the socket a text and its bytes are the same.
    return { ...super.asJSON(), data: this.data.json as unknown as string };
  }
}

/** BullMQ's own way to give a queue other jobs. */
export class GroupQueue extends Queue {
  protected override get Job() {
    return GroupJob as unknown as typeof Job;
  }
}

export type KeptOpen = () => GroupQueue;

/** BullMQ gives a queue up for good when the connection breaks during its first commands. Then a new one is opened. */
export const keptOpen = (name: QueueName, redis: Redis): KeptOpen => {
  const open = (): GroupQueue => {
    const made = silent(new GroupQueue(name.name, queueOptions(name, redis)));
    made.waitUntilReady().catch(() => {
      if (redis.status !== 'end') queue = open();
    });
    return made;
  };
  let queue = open();
  return () => queue;
};
