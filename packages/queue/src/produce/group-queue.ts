/** The queues of BullMQ, and how they are opened: a group goes into its queue as JSON that is ready. */
import { Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { QueueName } from '../names.ts';

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
export interface ReadyJson {
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
export class GroupQueue extends Queue {
  protected override get Job() {
    return GroupJob as unknown as typeof Job;
  }
}

export type KeptOpen = () => GroupQueue;

/** BullMQ gives a queue up for good when the connection breaks while it gets to know it; then there has to be another one. */
export const keptOpen = (name: QueueName, redis: Redis): KeptOpen => {
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
