/** The kinds of connections to Redis, by their patience. */
import type { RedisOptions } from 'ioredis';

/** A command that has no answer by then counts as unknown; two in a row stay under the promise of 1.5 s. */
export const commandTimeoutMs = 700;

/** WAIT gives up then, and says how many replicas have it: well before the command would count as unknown. */
export const replicasWithinMs = 200;

/** A blocking command waits so long, then asks again: a longer silence is not waiting. */
export const blockSeconds = 2;

/** BullMQ waits at most so long for a job that is due later. */
const longestBlockMs = 10_000;

export const everySecond = 1000;
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

export const kinds = {
  /** Needs a quick "no": nothing waits for a Redis that is away, nothing is sent twice. */
  producer: impatient,
  /** Hears published messages; it subscribes by itself after each new connection. */
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
