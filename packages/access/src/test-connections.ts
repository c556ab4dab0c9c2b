/** Connections as the ingress gives them to the directory: a Redis that is away is an error, and nothing waits for it. */
import { Redis, type RedisOptions } from 'ioredis';

const impatient = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  retryStrategy: () => 100,
} satisfies RedisOptions;

const open = (url: string): Redis => {
  const redis = new Redis(url, impatient);
  // The commands fail with it.
  redis.on('error', () => {});
  return redis;
};

export const connectionsTo = (url: string) => ({ reader: open(url), subscriber: open(url) });
