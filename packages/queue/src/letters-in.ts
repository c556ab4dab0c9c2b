/** One dead letter by its id: read, added, dropped, rewritten. */
import type { AcceptedRequest, QueueFamily } from '@roster/contract';
import type { Queue } from 'bullmq';

/** A request that could not be applied, kept until an operator retries or drops it. */
export interface DeadLetter {
  id: string;
  queue: QueueFamily;
  code: string;
  reason: string;
  at: string;
  request: AcceptedRequest;
}

export const jobId = (id: string): string => `d-${id}`;

/** The id of a letter during a retry: when the request fails once more, its new letter takes the usual id. */
export const copyId = (id: string): string => `d-${id}-again`;

/** One letter by its id. */
export const lettersIn = (queue: Queue) => {
  const get = async (id: string): Promise<DeadLetter | undefined> =>
    ((await queue.getJob(jobId(id))) ?? (await queue.getJob(copyId(id))))?.data;
  return {
    get,
    /** Adding the same dead letter again changes nothing: a repeated batch may do so. */
    async add(letter: DeadLetter): Promise<void> {
      await queue.add(letter.request.op, letter, { jobId: jobId(letter.id) });
    },
    /** False when there is no such letter (BullMQ's own answer does not tell). */
    async drop(id: string): Promise<boolean> {
      const known = (await get(id)) !== undefined;
      await queue.remove(jobId(id));
      await queue.remove(copyId(id));
      return known;
    },
    /** Replaces the content of a letter: the data of deleted people is removed, the rest can still be retried. */
    async rewrite(letter: DeadLetter): Promise<void> {
      for (const id of [jobId(letter.id), copyId(letter.id)])
        await (await queue.getJob(id))?.updateData(letter);
    },
  };
};
