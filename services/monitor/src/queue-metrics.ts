/** What Prometheus learns of the queues. Read when it asks; while Redis is away there is nothing to tell but that. */
import { withinTime } from '@roster/contract';
import { type QueueName, readGauge } from '@roster/queue';
import type { Metrics, Reading } from '@roster/runtime';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';

export interface Watched {
  queueName: QueueName;
  queue: Queue;
}

const states = ['waiting', 'active', 'delayed', 'failed'] as const;

const countsOf = async ({ queueName, queue }: Watched): Promise<Reading[]> => {
  const counts = await queue.getJobCounts(...states);
  return states.map((state) => ({ labels: [queueName.name, state], value: counts[state] ?? 0 }));
};

const deadIn = async (watched: readonly Watched[]): Promise<Reading[]> => {
  const dead = watched.find(({ queueName }) => queueName.name === 'dead');
  return dead ? [{ value: await dead.queue.getWaitingCount() }] : [];
};

const oldestIn =
  (redis: Redis) =>
  async ({ queueName }: Watched): Promise<Reading> => {
    const { oldestMs } = await readGauge(redis, [queueName]);
    return { labels: [queueName.name], value: oldestMs / 1000 };
  };

const memoryOf = async (redis: Redis): Promise<Reading[]> => {
  const { usedBytes, maxBytes } = await readGauge(redis, []);
  return [
    { labels: ['used'], value: usedBytes },
    { labels: ['max'], value: maxBytes },
  ];
};

/** A scrape must not fail, and not wait, because Redis is away or does not answer. */
const whenThere = (redis: Redis) => (read: () => Promise<Reading[]>) => async (): Promise<Reading[]> =>
  // `roster_redis_up` tells.
  redis.status === 'ready' ? withinTime<Reading[]>(1000, read(), () => []).catch(() => []) : [];

const isWorked = ({ queueName }: Watched): boolean => queueName.name !== 'dead';

export const measureQueues = (
  metrics: Metrics,
  redis: Redis,
  watched: () => Promise<readonly Watched[]>,
): void => {
  const ofWorked = async <Found>(read: (one: Watched) => Promise<Found>): Promise<Found[]> =>
    Promise.all((await watched()).filter(isWorked).map(read));
  const there = whenThere(redis);
  const gauges: Parameters<Metrics['gauge']>[0][] = [
    {
      name: 'roster_redis_up',
      help: 'Whether the Redis of the queues answers.',
      read: () => [{ value: redis.status === 'ready' ? 1 : 0 }],
    },
    {
      name: 'roster_queue_jobs',
      help: 'Jobs (groups of requests) by queue and state.',
      labels: ['queue', 'state'],
      read: there(async () => (await ofWorked(countsOf)).flat()),
    },
    {
      name: 'roster_queue_oldest_seconds',
      help: 'Age of the oldest request that is not finished.',
      labels: ['queue'],
      read: there(() => ofWorked(oldestIn(redis))),
    },
    {
      name: 'roster_dead_letters',
      help: 'Accepted requests that could not be applied and wait for a person.',
      read: there(async () => deadIn(await watched())),
    },
    {
      name: 'roster_redis_memory_bytes',
      help: 'Memory of the Redis of the queues; a max of 0 is none.',
      labels: ['kind'],
      read: there(() => memoryOf(redis)),
    },
  ];
  for (const gauge of gauges) metrics.gauge(gauge);
};
