/** What waits and should not: processes without a processor, work that should have begun, and jobs of a version that nobody has. */
import { withinTime } from '@roster/contract';
import { parkedSentence, type Queues, readParked, readStarved, starvedSentence } from '@roster/queue';
import { escapeHtml, type Metrics, serviceConfigs } from '@roster/runtime';
import { isOverdue, type Overdue, overdueSentence, readOverdue, type Store } from '@roster/store';
import type { Redis } from 'ioredis';

interface WaitsOptions {
  redis: Redis;
  queues: Queues;
  openStore(): Promise<Store>;
  metrics: Metrics;
}

/** Neither a scrape nor a page waits for a server that is away: then nothing is known of what waits, and others tell that it is. */
const whenThere = <One>(read: () => Promise<One[]>): Promise<One[]> =>
  // `/health/ready` and `roster_redis_up` tell.
  withinTime<One[]>(1_000, read(), () => []).catch(() => []);

export const createWaits = ({ redis, queues, openStore, metrics }: WaitsOptions) => {
  const services = Object.keys(serviceConfigs);
  const overdue = (): Promise<Overdue[]> => whenThere(async () => readOverdue(await openStore()));
  metrics.gauge({
    name: 'roster_overdue_seconds',
    help: 'For how long the oldest work has been due that no process has begun; 0 without any. A sync that waits for others of its workspace does not count.',
    labels: ['work'],
    read: async () => (await overdue()).map(({ work, ms }) => ({ labels: [work], value: ms / 1_000 })),
  });
  return async (): Promise<string[]> => {
    const inRedis = <One>(read: () => Promise<One[]>): Promise<One[]> =>
      redis.status === 'ready' ? whenThere(read) : Promise.resolve([]);
    const [starved, late, parked] = await Promise.all([
      inRedis(() => readStarved(redis, services)),
      overdue(),
      inRedis(() => readParked(redis, queues)),
    ]);
    return [
      ...starved.map(starvedSentence),
      ...late.filter(isOverdue).map(overdueSentence),
      ...parked.map(parkedSentence),
    ];
  };
};

export type Waits = ReturnType<typeof createWaits>;

export const bannerOf = (waits: readonly string[]): string =>
  waits.length === 0
    ? ''
    : `<p role="status" style="margin:0;padding:.5rem 1rem;background:#fde68a;color:#111">${waits.map(escapeHtml).join('<br>')}</p>`;
