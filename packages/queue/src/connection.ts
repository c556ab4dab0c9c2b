/**
 * Every connection to Redis is opened here. A machine that vanishes closes nothing, so each kind of connection has a limit for the
 * silence of its server. Past it the connection is dropped and opened anew, by name.
 */
import type { Redis, RedisOptions } from 'ioredis';
import { type ConnectionKind, everySecond, kinds } from './connection-kinds.ts';
import { connectTo } from './redis-url.ts';

const common = {
  connectTimeout: 1000,
  // The server that does not answer will not say goodbye either.
  disconnectTimeout: 200,
  maxLoadingRetryTime: 500,
  retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 6), 1000),
  // A primary that became a replica: the name leads to the new one, now or soon.
  reconnectOnError: ({ message }) => message.startsWith('READONLY'),
} satisfies RedisOptions;

/** ioredis notices silence only after a question, so an idle connection asks one every second. */
const keepAsking = (redis: Redis): void => {
  let timer: NodeJS.Timeout | undefined;
  redis.on('ready', () => {
    timer = setInterval(() => redis.ping().catch(() => {}), everySecond).unref();
  });
  redis.on('close', () => clearInterval(timer));
};

/** Errors of the connection are not reported: it heals by itself, and `answers` tells whether it has. */
export const openConnection = (kind: ConnectionKind, url: string): Redis => {
  const redis = connectTo(url, { ...common, ...kinds[kind] });
  redis.on('error', () => {});
  keepAsking(redis);
  return redis;
};
