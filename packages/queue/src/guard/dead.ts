import type { AcceptedRequest, QueueFamily } from '@roster/contract';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { deadQueue, queuesOf } from '../names.ts';
import { createEnqueue } from '../produce/enqueue.ts';
import { openQueue } from '../produce/group-queue.ts';

/** A request that could not be applied, kept until an operator retries or drops it. */
export interface DeadLetter {
  id: string;
  queue: QueueFamily;
  code: string;
  reason: string;
  at: string;
  request: AcceptedRequest;
}

const jobId = (id: string): string => `d-${id}`;

/** The id of a letter during a retry: when the request fails once more, its new letter takes the usual id. */
const copyId = (id: string): string => `d-${id}-again`;

const lettersIn = (queue: Queue) => {
  const get = async (id: string): Promise<DeadLetter | undefined> =>
    ((await queue.getJob(jobId(id))) ?? (await queue.getJob(copyId(id))))?.data;
  return {
    get,
    /** Adding the same dead letter again changes nothing: a repeated batch may do so. */
    async add(letter: DeadLetter): Promise<void> {
      await queue.add(letter.request.op, letter, { jobId: jobId(letter.id) });
    },
    /** False when there is no such letter (BullMQ's answer does not tell). */
    async drop(id: string): Promise<boolean> {
      const known = (await get(id)) !== undefined;
      await queue.remove(jobId(id));
      await queue.remove(copyId(id));
      return known;
    },
    /** Replaces the data of a letter: erased people are removed, and the rest can still be retried. */
    async rewrite(letter: DeadLetter): Promise<void> {
      for (const id of [jobId(letter.id), copyId(letter.id)])
        await (await queue.getJob(id))?.updateData(letter);
    },
  };
};

/** Queues the request as it was accepted, with its old stamp. */
const queueAgain = async (redis: Redis, { queue, request: sent }: DeadLetter) => {
  const { reply: _mailbox, body, ...request } = sent;
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const lane = createEnqueue({ redis, queues: queuesOf(queue, 1), waitReplicas: 0 });
  await lane.enqueue({ request, body: bytes, entries: 1 });
  await lane.close();
};

/** Dead letters wait in a queue of their own that no worker takes from, so Bull Board shows them with everything else. */
export const createDeadLetters = (redis: Redis) => {
  const queue = openQueue(deadQueue, redis);
  const letters = lettersIn(queue);
  return {
    ...letters,
    async list({ limit = 100, offset = 0 } = {}): Promise<DeadLetter[]> {
      const jobs = await queue.getJobs(['waiting'], offset, offset + limit - 1, true);
      return jobs.map((job) => job.data as DeadLetter);
    },
    /** The ids of all letters, oldest first. Pages would shift while an operator retries or drops letters. */
    async ids(): Promise<string[]> {
      return (await queue.getRanges(['waiting'], 0, -1, true)).map((id) => id.slice(jobId('').length));
    },
    count: (): Promise<number> => queue.getWaitingCount(),
    /** Queues the request, then removes the letter. A crash in between leaves both, and the mark applies the request once. */
    async retry(id: string): Promise<boolean> {
      const letter = await letters.get(id);
      if (!letter) return false;
      await queue.add(letter.request.op, letter, { jobId: copyId(id) });
      await queue.remove(jobId(id));
      await queueAgain(redis, letter);
      await queue.remove(copyId(id));
      return true;
    },
    close: (): Promise<void> => queue.close(),
  };
};

export type DeadLetters = ReturnType<typeof createDeadLetters>;
