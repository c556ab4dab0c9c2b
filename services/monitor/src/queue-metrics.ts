/** The metrics of the queues, read when Prometheus asks. While Redis is away, the only metric is that it is away. */
import type { Metrics, Reading } from '@roster/runtime';
import type { Redis } from 'ioredis';
import { countsOf, deadIn, memoryOf, nothingAfter, oldestIn, type Watched } from './queue-readings.ts';

/** A scrape must not fail, and not wait, because Redis is away or does not answer. */
const whenThere = (redis: Redis) => (read: () => Promise<Reading[]>) => async (): Promise<Reading[]> =>
  redis.status === 'ready' ? Promise.race([read().catch(() => []), nothingAfter(1000)]) : [];

const gaugesOf = (redis: Redis, watched: readonly Watched[]): Parameters<Metrics['gauge']>[0][] => {
  const working = watched.filter(({ queueName }) => queueName.name !== 'dead');
  const there = whenThere(redis);
  return [
    {
      name: 'roster_redis_up',
      help: 'Whether the Redis of the queues answers.',
      read: () => [{ value: redis.status === 'ready' ? 1 : 0 }],
    },
    {
      name: 'roster_queue_jobs',
      help: 'Jobs (groups of requests) by queue and state.',
      labels: ['queue', 'state'],
      read: there(async () => (await Promise.all(working.map(countsOf))).flat()),
    },
    {
      name: 'roster_queue_oldest_seconds',
      help: 'Age of the oldest request that is not finished.',
      labels: ['queue'],
      read: there(() => Promise.all(working.map(oldestIn(redis)))),
    },
    {
      name: 'roster_dead_letters',
      help: 'Accepted requests that could not be applied and wait for a person.',
      read: there(() => deadIn(watched)),
    },
    {
      name: 'roster_redis_memory_bytes',
      help: 'Memory of the Redis of the queues; a max of 0 is none.',
      labels: ['kind'],
      read: there(() => memoryOf(redis)),
    },
  ];
};

export const measureQueues = (options: {
  metrics: Metrics;
  redis: Redis;
  watched: readonly Watched[];
}): void => {
  for (const gauge of gaugesOf(options.redis, options.watched)) options.metrics.gauge(gauge);
};
