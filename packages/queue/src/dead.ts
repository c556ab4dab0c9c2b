import type { AcceptedRequest, QueueFamily } from '@roster/contract';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { createEnqueue, openQueue } from './enqueue.ts';
import { queuesOf } from './names.ts';

/** A request that could not be applied, kept until an operator retries or drops it. */
export interface DeadLetter {
  id: string;
  queue: QueueFamily;
  code: string;
  reason: string;
  at: string;
  request: AcceptedRequest;
}

const deadQueue = (redis: Redis): Queue => {
  const [name] = queuesOf('dead', 1);
  if (!name) throw new Error('there is no queue for dead letters');
  const queue = openQueue(name, redis);
  queue.on('error', () => {});
  return queue;
};

/** Dead letters wait in a queue of their own that no worker takes from, so Bull Board shows them with everything else. */
export const createDeadLetters = (redis: Redis, partitions: number) => {
  const queue = deadQueue(redis);
  const jobId = (id: string): string => `d-${id}`;
  /** The id of a letter during a retry: when the request fails once more, its new letter takes the usual id. */
  const copyId = (id: string): string => `d-${id}-again`;

  const find = async (id: string) => (await queue.getJob(jobId(id))) ?? (await queue.getJob(copyId(id)));

  const get = async (id: string): Promise<DeadLetter | undefined> => (await find(id))?.data;

  /** False when there is no such letter (BullMQ's own answer does not tell). */
  const drop = async (id: string): Promise<boolean> => {
    const known = (await get(id)) !== undefined;
    await queue.remove(jobId(id));
    await queue.remove(copyId(id));
    return known;
  };

  return {
    /** Adding the same dead letter again changes nothing: a repeated batch may do so. */
    async add(letter: DeadLetter): Promise<void> {
      await queue.add(letter.request.op, letter, { jobId: jobId(letter.id) });
    },
    async list({ limit = 100, offset = 0 } = {}): Promise<DeadLetter[]> {
      const jobs = await queue.getJobs(['waiting'], offset, offset + limit - 1, true);
      return jobs.map((job) => job.data as DeadLetter);
    },
    /** The ids of all letters, oldest first. Pages would shift while an operator retries or drops letters. */
    async ids(): Promise<string[]> {
      return (await queue.getRanges(['waiting'], 0, -1, true)).map((id) => id.slice(jobId('').length));
    },
    count: (): Promise<number> => queue.getWaitingCount(),
    get,
    drop,
    /** Another text for the same letter: what has to be forgotten is taken out, the rest can still be retried. */
    async rewrite(letter: DeadLetter): Promise<void> {
      for (const id of [jobId(letter.id), copyId(letter.id)])
        await (await queue.getJob(id))?.updateData(letter);
    },
    /**
     * Queues the request as it was accepted, with its old stamp; then forgets the letter. Twice does no harm: the mark. At every moment
     * there is a letter or the request.
     */
    async retry(id: string): Promise<boolean> {
      const letter = await get(id);
      if (!letter) return false;
      const { reply: _mailbox, body, ...request } = letter.request;
      const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
      const queues = queuesOf(letter.queue, partitions);
      await queue.add(request.op, letter, { jobId: copyId(id) });
      await queue.remove(jobId(id));
      const lane = createEnqueue({ redis, queues, waitReplicas: 0 });
      await lane.enqueue({ request, body: bytes, entries: 1 });
      await lane.close();
      await queue.remove(copyId(id));
      return true;
    },
    close: (): Promise<void> => queue.close(),
  };
};

export type DeadLetters = ReturnType<typeof createDeadLetters>;
