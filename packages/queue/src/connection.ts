/**
 * Every connection to Redis is opened here. A machine that vanishes closes nothing, so each kind of connection has a limit for the
 * silence of its server. Past it the connection is dropped and opened anew, by name.
 */
import { Redis, type RedisOptions } from 'ioredis';
import { PrimaryConnector } from './primary-connector.ts';

/** A command that has no answer by then counts as unknown; two in a row stay under the promise of 1.5 s. */
export const commandTimeoutMs = 700;

/** A blocking command waits so long, then asks again: a longer silence is not waiting. */
export const blockSeconds = 2;

/** BullMQ waits at most so long for a job that is due later. */
const longestBlockMs = 10_000;

const everySecond = 1000;
const graceMs = 2000;

/** `socketTimeout`: so long a server that was asked something may say nothing. */
type Kind = RedisOptions & { socketTimeout: number };

const impatient = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  commandTimeout: commandTimeoutMs,
  socketTimeout: graceMs,
};

const kinds = {
  /** Needs a quick "no": nothing waits for a Redis that is away, nothing is sent twice. */
  producer: impatient,
  /** Hears what is published; it subscribes by itself after each new connection. */
  subscriber: { ...impatient, autoResubscribe: false },
  /** Has nothing better to do than to wait for Redis. BullMQ duplicates it for a worker's blocking command. */
  patient: { maxRetriesPerRequest: null, socketTimeout: blockSeconds * 1000 + graceMs },
  /** For the worker of scheduled jobs. */
  schedule: { maxRetriesPerRequest: null, socketTimeout: longestBlockMs + graceMs },
  /** One command of an operator: it fails rather than waits. */
  operator: {
    lazyConnect: true,
    connectTimeout: 3000,
    commandTimeout: 10_000,
    socketTimeout: 10_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  },
} satisfies Record<string, Kind>;

export type ConnectionKind = keyof typeof kinds;

const common = {
  connectTimeout: 1000,
  // The server that does not answer will not say goodbye either.
  disconnectTimeout: 200,
  maxLoadingRetryTime: 500,
  retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 6), 1000),
  // A primary that became a replica: the name leads to the new one, now or soon.
  reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  Connector: PrimaryConnector,
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
  const redis = new Redis(url, { ...common, ...kinds[kind] });
  redis.on('error', () => {});
  keepAsking(redis);
  return redis;
};
