/** For tests: how the services of a whole system are configured and started. */
import { createLog, createMetrics } from '@roster/runtime';

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

export const contextOf = <Settings>(service: string, config: Settings) => ({
  config,
  log: createLog({ service, level: 'silent' }),
  metrics: createMetrics({ service }),
  admin: { port: 0, close: async () => {} },
});
