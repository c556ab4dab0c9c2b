/** A queue of scheduled jobs and the worker of this process that takes them. */
import { type Job, Worker } from 'bullmq';
import { openConnection } from '../connection.ts';
import type { QueueName } from '../names.ts';
import { openQueue } from '../produce/group-queue.ts';

interface Taking {
  url: string;
  queue: QueueName;
  take(job: Job): Promise<unknown>;
  onError(error: unknown): void;
  concurrency?: number;
}

export const openTaking = ({ url, queue, take, onError, concurrency = 1 }: Taking) => {
  const { name, prefix } = queue;
  const [asking, working] = [openConnection('patient', url), openConnection('schedule', url)];
  const jobs = openQueue(queue, asking);
  const worker = new Worker(name, take, {
    connection: working,
    prefix,
    concurrency,
    lockDuration: 30_000,
    stalledInterval: 15_000,
  });
  worker.on('failed', (_job, error) => onError(error));
  // Errors of the connection are not reported: see connection.ts.
  worker.on('error', () => {});
  return {
    jobs,
    /** Waits for the jobs that are under way. */
    async close(): Promise<void> {
      await worker.close();
      await jobs.close();
      asking.disconnect();
      working.disconnect();
    },
  };
};
