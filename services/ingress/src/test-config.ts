/** For tests: how an ingress is configured. A test states only what matters to it. */
import { type Config, type Context, createLog, createMetrics } from '@roster/runtime';

export const pepper = 'a pepper for tests only';

export const aConfig = (redisUrl: string, more: Partial<Config<'ingress'>> = {}): Config<'ingress'> => ({
  LOG_LEVEL: 'silent',
  HOST: '127.0.0.1',
  ADMIN_PORT: 0,
  PORT: 0,
  REDIS_URL: redisUrl,
  ROSTER_ALLOW_UNSAFE_REDIS: false,
  ROSTER_SECRET: pepper,
  TRACK_PARTITIONS: 2,
  REDIS_WAIT_REPLICAS: 0,
  IDEMPOTENCY_HOURS: 1,
  RESULT_TIMEOUT_SECONDS: 0.5,
  SHED_MEMORY_SHARE: 0.6,
  SHED_MEMORY_BYTES: 0,
  BODY_MEMORY_MB: 64,
  IDEMPOTENCY_SHARE: 0.1,
  SHED_OLDEST_MINUTES: 60,
  DRAIN_SECONDS: 0,
  BOARD_URL: '',
  TRUSTED_PROXIES: '',
  ...more,
});

export const aContext = (config: Config<'ingress'>): Context<Config<'ingress'>> => ({
  config,
  log: createLog({ service: 'ingress', level: 'silent' }),
  metrics: createMetrics({ service: 'ingress' }),
  admin: { port: 0, close: async () => {} },
});
