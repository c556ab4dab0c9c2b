/** Reads the counts, the age and the memory of the queues. */
import { type QueueName, readGauge } from '@roster/queue';
import type { Reading } from '@roster/runtime';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';

export interface Watched {
  queueName: QueueName;
  queue: Queue;
}

export const nothingAfter = (milliseconds: number): Promise<Reading[]> =>
  new Promise((resolve) => void setTimeout(() => resolve([]), milliseconds).unref());

const states = ['waiting', 'active', 'delayed', 'failed'] as const;

export const countsOf = async ({ queueName, queue }: Watched): Promise<Reading[]> => {
  const counts = await queue.getJobCounts(...states);
  return states.map((state) => ({ labels: [queueName.name, state], value: counts[state] ?? 0 }));
};

export const deadIn = async (watched: readonly Watched[]): Promise<Reading[]> => {
  const dead = watched.find(({ queueName }) => queueName.name === 'dead');
  return dead ? [{ value: await dead.queue.getWaitingCount() }] : [];
};

export const oldestIn =
  (redis: Redis) =>
  async ({ queueName }: Watched): Promise<Reading> => {
    const { oldestMs } = await readGauge(redis, [queueName]);
    return { labels: [queueName.name], value: oldestMs / 1000 };
  };

export const memoryOf = async (redis: Redis): Promise<Reading[]> => {
  const { usedBytes, maxBytes } = await readGauge(redis, []);
  return [
    { labels: ['used'], value: usedBytes },
    { labels: ['max'], value: maxBytes },
  ];
};
