/** For tests: a monitor on servers of their own. */
import { type Config, createLog, createMetrics } from '@roster/runtime';
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
