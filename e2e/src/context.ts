/** For tests: how the services of a whole system are configured and started. */
import { createLog, createMetrics, loadConfig, serviceConfigs } from '@roster/runtime';

export const secret = 'a secret for tests only';

/** As they stand in the environment of a service. */
export const variablesOf = (redisUrl: string, mongoUrl: string): Record<string, string> => ({
  LOG_LEVEL: 'silent',
  PORT: '0',
  PAGES_PORT: '0',
  REDIS_URL: redisUrl,
  MONGO_URL: mongoUrl,
  ROSTER_SECRET: secret,
  TRACK_PARTITIONS: '2',
  IDEMPOTENCY_HOURS: '1',
  DRAIN_SECONDS: '0',
  // Out of reach of a slow machine: what is awaited here is the result.
  RESULT_TIMEOUT_SECONDS: '60',
});

export const contextOf = <Name extends keyof typeof serviceConfigs>(
  service: Name,
  variables: Readonly<Record<string, string>>,
) => ({
  config: loadConfig(serviceConfigs[service], variables),
  log: createLog({ service, level: 'silent' }),
  metrics: createMetrics({ service }),
  admin: { port: 0, close: async () => {} },
});
