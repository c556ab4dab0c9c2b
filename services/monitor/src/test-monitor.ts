/** For tests: a monitor on servers of their own. */
import type { QueueFamily } from '@roster/contract';
import { queuesOf } from '@roster/queue';
import { type Config, createLog, createMetrics } from '@roster/runtime';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { startMonitor } from './start.ts';

export const beginMonitor = async (
  servers: { redisUrl: string; mongoUrl: string },
  more: Pick<Config<'monitor'>, 'MONITOR_SIGN_IN' | 'TRACK_PARTITIONS'>,
) => {
  const metrics = createMetrics({ service: 'monitor' });
  const config = {
    LOG_LEVEL: 'silent' as const,
    HOST: '127.0.0.1',
    ADMIN_PORT: 0,
    REDIS_URL: servers.redisUrl,
    MONGO_URL: servers.mongoUrl,
    TRUSTED_PROXIES: '',
    MONITOR_PORT: 0,
    MONITOR_HOSTS: 'board.test',
    ...more,
  };
  const log = createLog({ service: 'monitor', level: 'silent' });
  const admin = { port: 0, close: async () => {} };
  const running = await startMonitor({ config, log, metrics, admin });
  return { running, metrics, base: `http://127.0.0.1:${running.port}` };
};

/** The first queue of a family, to look into and to put things into. */
export const openQueue = (family: QueueFamily | 'dead', connection: Redis): Queue => {
  const [named] = queuesOf(family, 1);
  if (!named) throw new Error('no queue');
  return new Queue(named.name, { prefix: named.prefix, connection });
};
