/**
 * Opens every connection to Redis. A machine that vanishes closes no connection, so each kind of connection has a limit for the silence of its
 * server. Past the limit the connection is dropped, the name is resolved again and a new connection is opened.
 */
import { Redis, type RedisOptions, type StandaloneConnectionOptions } from 'ioredis';
import { StandaloneConnector } from 'ioredis/built/connectors/index.js';
import { sentinelsIn } from './sentinels.ts';
import { within } from './unavailable.ts';

/**
 * A connection is ready only at a primary. After a failover the name may lead to a replica for a while: then the connection is
 * closed, and the next attempt asks for the name again. ioredis asks `check` with what INFO says of the server.
 */
export class PrimaryConnector extends StandaloneConnector {
  constructor(options: unknown) {
    super(options as StandaloneConnectionOptions);
  }

  override check({ role = 'master' }: { role?: string }): boolean {
    return role === 'master';
  }
}

/** A command without an answer by then counts as unknown. Two in a row stay under the promise of 1.5 s. */
export const commandTimeoutMs = 700;

/** The block time of a blocking command, which is then repeated: a longer silence means that the server is gone. */
export const blockSeconds = 2;

/** BullMQ blocks at most this long for a job that is due later. */
const longestBlockMs = 10_000;

const everySecond = 1000;
const graceMs = 2000;

/** `socketTimeout`: the time limit for the first byte of an answer. */
type ConnectionOptions = RedisOptions & { socketTimeout: number };

const impatient = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  commandTimeout: commandTimeoutMs,
  socketTimeout: graceMs,
};

const scripts: ReadonlySet<string> = new Set(['eval', 'evalsha']);

/**
 * A primary that became a replica: the name leads to the new primary, now or soon. A script that it has refused has done nothing, and is sent
 * again there: BullMQ would take the refusal for a failure of the job.
 */
const followPrimary = ({ message, command }: Error & { command?: { name: string } }): boolean | 2 => {
  if (!message.startsWith('READONLY')) return false;
  return scripts.has(command?.name ?? '') ? 2 : true;
};

const kinds = {
  /** Fails fast: no command waits for a Redis that is away, and none is sent twice. */
  producer: impatient,
  /** Receives published messages and subscribes again after each new connection. */
  subscriber: { ...impatient, autoResubscribe: false },
  /** Waits for Redis as long as it takes. BullMQ duplicates it for a worker's blocking command. */
  patient: {
    maxRetriesPerRequest: null,
    socketTimeout: blockSeconds * 1000 + graceMs,
    reconnectOnError: followPrimary,
  },
  /** For the worker of scheduled jobs. */
  schedule: {
    maxRetriesPerRequest: null,
    socketTimeout: longestBlockMs + graceMs,
    reconnectOnError: followPrimary,
  },
  /** One command of an operator: fails rather than waits. */
  operator: {
    lazyConnect: true,
    connectTimeout: 3000,
    commandTimeout: 10_000,
    socketTimeout: 10_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  },
} satisfies Record<string, ConnectionOptions>;

export type ConnectionKind = keyof typeof kinds;

const common = {
  connectTimeout: 1000,
  // A server that does not answer will not answer QUIT either.
  disconnectTimeout: 200,
  maxLoadingRetryTime: 500,
  retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 6), 1000),
  reconnectOnError: (error) => followPrimary(error) !== false,
} satisfies RedisOptions;

/** ioredis notices silence only after a command, so an idle connection sends PING every second. */
const keepAsking = (redis: Redis): void => {
  let timer: NodeJS.Timeout | undefined;
  redis.on('ready', () => {
    // Silence closes the connection.
    timer = setInterval(() => redis.ping().catch(() => {}), everySecond).unref();
  });
  redis.on('close', () => clearInterval(timer));
};

/** The Sentinels of an address are asked before each connection, one after the other; the first that answers is believed. */
const connect = (kind: ConnectionKind, url: string): Redis => {
  const options = { ...common, ...kinds[kind] };
  const sentinels = sentinelsIn(url);
  if (!sentinels) return new Redis(url, { ...options, Connector: PrimaryConnector });
  return new Redis({
    ...options,
    ...sentinels,
    sentinelCommandTimeout: commandTimeoutMs,
    sentinelRetryStrategy: options.retryStrategy,
    // Those that they tell of are known to each other by names of their own network.
    updateSentinels: false,
  });
};

/** Errors of the connection are not reported: ioredis reconnects, and `answers` tells whether it has. */
export const openConnection = (kind: ConnectionKind, url: string): Redis => {
  const redis = connect(kind, url);
  // See above.
  redis.on('error', () => {});
  keepAsking(redis);
  return redis;
};

const answerWithinMs = 1000;

/** Whether Redis answers on each of these connections, within a second. */
export const answers = async (...connections: readonly Redis[]): Promise<boolean> => {
  if (connections.some(({ status }) => status !== 'ready')) return false;
  try {
    await within(answerWithinMs, Promise.all(connections.map((redis) => redis.ping())));
    return true;
  } catch {
    return false;
  }
};
