/** What a service is started with, on the servers of a test. */
import type { Config, Context, ServiceName } from '@roster/runtime';

export const testSecret = 'a secret for tests only';

/** As they stand in the environment of a service. */
export const variablesOf = (
  { redisUrl, mongoUrl = 'mongodb://127.0.0.1:1' }: { redisUrl: string; mongoUrl?: string },
  more: Record<string, string> = {},
) => ({
  ...{ REDIS_URL: redisUrl, MONGO_URL: mongoUrl, ROSTER_SECRET: testSecret, TRACK_PARTITIONS: '2' },
  ...{ HOST: '127.0.0.1', PORT: '0', PAGES_PORT: '0', MONITOR_PORT: '0', LOG_LEVEL: 'silent' },
  ...more,
});

export const contextIn = async <Name extends ServiceName>(
  service: Name,
  variables: Readonly<Record<string, string>>,
): Promise<Context<Config<Name>>> => {
  // Loaded only by the few tests that start a service.
  const { createLog, createMetrics, loadConfig, serviceConfigs } = await import('@roster/runtime');
  return {
    config: loadConfig(serviceConfigs[service], variables),
    log: createLog({ service, level: 'silent' }),
    metrics: createMetrics({ service }),
    admin: { port: 0, close: async () => {} },
    processor: { service, hear: () => {} },
  };
};

export const contextOf = <Name extends ServiceName>(
  service: Name,
  ...servers: Parameters<typeof variablesOf>
): Promise<Context<Config<Name>>> => contextIn(service, variablesOf(...servers));
