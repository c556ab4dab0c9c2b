/** Periodic work, done once for all processes by BullMQ's scheduler. When a process dies during a run, another one repeats it. */
import { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { openConnection } from './connection.ts';
import type { QueueName } from './names.ts';
import { type Occasion, occasionOf } from './occasion.ts';

export interface ScheduleOptions {
  url: string;
  queue: QueueName;
  everyMs: number;
  run(occasion: Occasion): Promise<unknown>;
  /** How often one occasion is attempted, with growing pauses; once unless said otherwise. */
  attempts?: number;
  onError?(error: unknown): void;
}

export interface Schedule {
  /** Waits for a run that is under way. */
  close(): Promise<void>;
}

const firstPauseMs = 10_000;

export const jobOptions = (attempts: number) => ({
  attempts,
  backoff: { type: 'exponential', delay: firstPauseMs },
  removeOnComplete: { age: 3600, count: 10 },
  removeOnFail: { count: 10 },
});

export const open = ({ name, prefix }: QueueName, connection: Redis): Queue => {
  const jobs = new Queue(name, { connection, prefix, streams: { events: { maxLen: 10 } } });
  jobs.on('error', () => {});
  return jobs;
};

export const createSchedule = async (options: ScheduleOptions): Promise<Schedule> => {
  const { url, queue, everyMs, run, attempts = 1, onError = () => {} } = options;
  const { name, prefix } = queue;
  const [asking, working] = [openConnection('patient', url), openConnection('schedule', url)];
  const jobs = open(queue, asking);
  // Not waited for: a Redis that is away must not keep a process from starting.
  jobs.upsertJobScheduler(name, { every: everyMs }, { opts: jobOptions(attempts) }).catch(onError);
  const worker = new Worker(name, (job) => run(occasionOf(job)), {
    connection: working,
    prefix,
    lockDuration: 30_000,
    stalledInterval: 15_000,
  });
  worker.on('failed', (_job, error) => onError(error));
  worker.on('error', () => {});
  return {
    async close() {
      await worker.close();
      await jobs.close();
      asking.disconnect();
      working.disconnect();
    },
  };
};
