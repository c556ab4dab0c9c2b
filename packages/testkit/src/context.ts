/** What a service is started with, on the servers of a test. */
import type { Config, Context, ServiceName } from '@roster/runtime';

export const testSecret = 'a secret for tests only';

export const contextOf = async <Name extends ServiceName>(
  service: Name,
  { redisUrl, mongoUrl = 'mongodb://127.0.0.1:1' }: { redisUrl: string; mongoUrl?: string },
  more: Record<string, string> = {},
): Promise<Context<Config<Name>>> => {
  // Loaded only by the few tests that start a service.
  const { createLog, createMetrics, loadConfig, serviceConfigs } = await import('@roster/runtime');
  const env = {
    ...{ REDIS_URL: redisUrl, MONGO_URL: mongoUrl, ROSTER_SECRET: testSecret, TRACK_PARTITIONS: '2' },
    ...{ HOST: '127.0.0.1', PORT: '0', PAGES_PORT: '0', MONITOR_PORT: '0', LOG_LEVEL: 'silent' },
  };
  return {
    config: loadConfig(serviceConfigs[service], { ...env, ...more }),
    log: createLog({ service, level: 'silent' }),
    metrics: createMetrics({ service }),
    admin: { port: 0, close: async () => {} },
  };
};
