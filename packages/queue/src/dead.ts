import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { createEnqueue } from './enqueue.ts';
import { openQueue } from './group-queue.ts';
import { copyId, type DeadLetter, jobId, lettersIn } from './letters-in.ts';
import { queuesOf } from './names.ts';

const deadQueue = (redis: Redis): Queue => {
  const [name] = queuesOf('dead', 1);
  if (!name) throw new Error('there is no queue for dead letters');
  const queue = openQueue(name, redis);
  queue.on('error', () => {});
  return queue;
};

/** Queues the request as it was accepted, with its old stamp. */
const queueAgain = async (redis: Redis, { queue, request: sent }: DeadLetter, partitions: number) => {
  const { reply: _mailbox, trace: _span, body, ...request } = sent;
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const lane = createEnqueue({ redis, queues: queuesOf(queue, partitions), waitReplicas: 0 });
  await lane.enqueue({ request, body: bytes, entries: 1 });
  await lane.close();
};

/** Dead letters wait in a queue of their own that no worker takes from, so Bull Board shows them with everything else. */
export const createDeadLetters = (redis: Redis, partitions: number) => {
  const queue = deadQueue(redis);
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
    /** Queues the request, then forgets the letter. Twice does no harm: the mark. At every moment there is a letter or the request. */
    async retry(id: string): Promise<boolean> {
      const letter = await letters.get(id);
      if (!letter) return false;
      await queue.add(letter.request.op, letter, { jobId: copyId(id) });
      await queue.remove(jobId(id));
      await queueAgain(redis, letter, partitions);
      await queue.remove(copyId(id));
      return true;
    },
    close: (): Promise<void> => queue.close(),
  };
};

export type DeadLetters = ReturnType<typeof createDeadLetters>;
