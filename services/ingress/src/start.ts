import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDirectory } from '@roster/access';
import { createJudge } from '@roster/contract';
import {
  answers,
  assertSafe,
  createProducer,
  leaveEvents,
  openConnection,
  type Producer,
  queuesOf,
  shareOfMemory,
  type takeStamps,
  watchPressure,
} from '@roster/queue';
import {
  type Config,
  type Context,
  type CountedEvent,
  createSecurityLog,
  type Log,
  type Running,
  readyWhen,
} from '@roster/runtime';
import { createApp } from './app.ts';
import { createBodyReader } from './body.ts';
import { refuseBrokenRequests } from './broken-requests.ts';
import { createDeadlines } from './deadlines.ts';
import { inviteWhenRead } from './early-answer.ts';
import type { Edge } from './edge.ts';
import { openLargeBodies } from './large-bodies.ts';
import { createLimiter, type Limiter } from './limiter.ts';
import { createLinger, type Linger } from './linger.ts';
import { createMeter, free } from './meter.ts';
import { createRooms, endlessRooms } from './rooms.ts';
import { createUnderstand } from './understand.ts';

/** Limits of the HTTP edge: connections that are slow on purpose are cut off, idle connections of a load balancer are not. */
const serverOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 72_000,
  maxHeaderSize: 16_384,
};

/** So long a stop lets callers wait for results; then they are told that their request is queued. */
const longestWaitMs = 5_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const whenReady = async ({ redis }: Producer, ms: number): Promise<boolean> => {
  for (const until = Date.now() + ms; redis.status !== 'ready' && Date.now() < until; ) await sleep(20);
  return redis.status === 'ready';
};

/** Checked now when Redis is there, else as soon as it comes: the ingress may start before it. */
const holdToSafety = async (producer: Producer, allowUnsafe: boolean, log: Log): Promise<void> => {
  const check = async (): Promise<void> => {
    for (const finding of await assertSafe(producer.redis, allowUnsafe))
      log.warn({ reason: finding }, 'unsafe Redis');
  };
  if (await whenReady(producer, 3000)) return check();
  log.warn('Redis is not there yet; everything gets 503 until it is');
  producer.redis.once('ready', () => {
    check().catch((err) => {
      log.fatal({ err }, 'this Redis may lose what it is given');
      process.exit(1);
    });
  });
};

const inviteCallers = (server: Server, app: RequestListener): void => {
  server.on('checkContinue', (request, response) => {
    inviteWhenRead(request, response);
    app(request, response);
  });
};

const listen = (server: Server, port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });

const observer = ({ metrics, log }: Pick<Context<unknown>, 'metrics' | 'log'>): Edge['observe'] => {
  const requests = metrics.counter({
    name: 'roster_http_requests_total',
    help: 'Requests answered, by operation and status.',
    labels: ['op', 'status'],
  });
  const seconds = metrics.histogram({
    name: 'roster_http_request_seconds',
    help: 'Time from the headers to the answer, by operation.',
    labels: ['op'],
  });
  return (op, status, ms, { id, ws, by, entries }) => {
    requests.with(op, String(status)).inc();
    seconds.with(op).observe(ms / 1000);
    log.info({ op, request: id, ws, key: by, status, ms: Math.round(ms * 100) / 100, entries }, 'request');
  };
};

/** Parts that fault tests replace. */
export interface Replacements {
  /** All requests in one lane, however much a workspace sends. */
  oneLane?: boolean;
  /** Stamps by another clock than that of Redis. */
  takeStamps?: typeof takeStamps;
  /** What happens to a connection after its request was answered before it was read. */
  linger?: Linger;
  /** No price, no limit of what a body may hold, no bound on bytes and time. */
  unbounded?: boolean;
}

interface Bounding extends Pick<Context<Config<'ingress'>>, 'config' | 'log'> {
  limiter: Limiter;
  unbounded: boolean;
}

interface Bounded
  extends Pick<Edge, 'rooms' | 'pay' | 'nothing' | 'understand' | 'understandLarge' | 'readBody'> {
  /** Ended when the process stops. */
  parts: { close(): void | Promise<void> }[];
}

/** Tests run from the sources, where there is no script to start. */
const isSource = import.meta.url.endsWith('.ts');

/** The bounds on the resources of this process for the requests of one caller. */
const boundsOf = ({ config, log, limiter, unbounded }: Bounding): Bounded => {
  const deadlines = createDeadlines();
  if (unbounded) {
    const patient = { ...deadlines, watch: () => () => {} };
    const here = createUnderstand(createJudge(), () => undefined);
    const readBody = createBodyReader(endlessRooms, patient);
    return {
      ...here,
      understandLarge: here.understand,
      rooms: endlessRooms,
      pay: free,
      readBody,
      parts: [deadlines],
    };
  }
  const rooms = createRooms(config.BODY_MEMORY_MB * 1024 * 1024);
  const here = createUnderstand(createJudge());
  const large = openLargeBodies({
    onError: (err) => log.error({ err }, 'the thread for large bodies has ended'),
  });
  return {
    ...here,
    understandLarge: isSource ? here.understand : large.understand,
    rooms,
    pay: createMeter(limiter),
    readBody: createBodyReader(rooms, deadlines),
    parts: [deadlines, large],
  };
};

const groupCounter = ({ metrics }: Pick<Context<unknown>, 'metrics'>) => {
  const groups = metrics.counter({
    name: 'roster_ingress_groups_total',
    help: 'Groups of requests queued, with those of workspaces that send more than their share in a lane of their own.',
    labels: ['lane'],
  });
  return (heavy: boolean): void => groups.with(heavy ? 'heavy' : 'normal').inc();
};

const producerSettings = (config: Config<'ingress'>) => ({
  url: config.REDIS_URL,
  secret: config.ROSTER_SECRET,
  partitions: config.TRACK_PARTITIONS,
  waitReplicas: config.REDIS_WAIT_REPLICAS,
  idempotencyHours: config.IDEMPOTENCY_HOURS,
});

const pressureOn = (redis: Producer['redis'], config: Config<'ingress'>) =>
  watchPressure({
    redis,
    queues: queuesOf('track', config.TRACK_PARTITIONS),
    limits: {
      memoryShare: config.SHED_MEMORY_SHARE,
      memoryBytes: config.SHED_MEMORY_BYTES,
      oldestMs: config.SHED_OLDEST_MINUTES * 60_000,
    },
  });

/** The identity service writes deletions into the audit log itself, together with their effect. */
const forAudit = (events: readonly CountedEvent[]) =>
  events.filter(({ event }) => event !== 'people.deleted');

const listenOn = async (edge: Edge, ready: () => Promise<true | string>, config: Config<'ingress'>) => {
  const app = createApp(edge, { ready }, config.TRUSTED_PROXIES);
  const server = createServer(serverOptions, app);
  refuseBrokenRequests(server, edge.linger);
  inviteCallers(server, app);
  return { server, port: await listen(server, config.PORT, config.HOST) };
};

interface Stopping {
  config: Config<'ingress'>;
  server: Server;
  producer: Producer;
  linger: Linger;
  closing: { close(): void | Promise<void> }[];
}

/** Still accepts requests for a moment, finishes those at work, without all that wait for results, and then closes Redis. */
const stopAll = async ({ config, server, producer, linger, closing }: Stopping): Promise<void> => {
  await sleep(config.DRAIN_SECONDS * 1000);
  const patience = setTimeout(() => {
    producer.letGo();
    linger.cut();
  }, longestWaitMs);
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(patience);
  for (const part of closing) await part.close();
  await producer.close();
};

export const startIngress = async (
  context: Context<Config<'ingress'>>,
  { unbounded = false, ...replacements }: Replacements = {},
): Promise<Running> => {
  const { config, log, metrics } = context;
  const producer = createProducer({
    ...producerSettings(config),
    onGroup: groupCounter(context),
    ...(unbounded
      ? { packFrom: Number.POSITIVE_INFINITY }
      : { mostKept: () => shareOfMemory(config.IDEMPOTENCY_SHARE, pressure.gauge()) }),
    ...replacements,
  });
  await holdToSafety(producer, config.ROSTER_ALLOW_UNSAFE_REDIS, log);
  const { redis } = producer;
  const reader = openConnection('producer', config.REDIS_URL);
  const subscriber = openConnection('subscriber', config.REDIS_URL);
  const directory = createDirectory({ reader, subscriber, pepper: config.ROSTER_SECRET, log });
  const pressure = pressureOn(redis, config);
  let draining = false;
  const { linger = createLinger() } = replacements;
  const limiter = createLimiter({ redis });
  const { parts, ...bounded } = boundsOf({ config, log, limiter, unbounded });
  const security = createSecurityLog({ log, keep: (events) => leaveEvents(redis, forAudit(events)) });
  const edge: Edge = {
    ...bounded,
    directory,
    pressure,
    producer,
    log,
    limiter,
    resultTimeoutMs: config.RESULT_TIMEOUT_SECONDS * 1000,
    draining: () => draining,
    linger,
    note: security.note,
    observe: observer({ metrics, log }),
  };

  const serversAnswer = readyWhen({ Redis: () => answers(...producer.connections, reader, subscriber) });
  const ready = async (): Promise<true | string> => {
    if (draining) return 'stopping';
    const verdict = await serversAnswer();
    if (verdict !== true) return verdict;
    return directory.listening() || 'changes of keys are not heard yet';
  };

  const { server, port } = await listenOn(edge, ready, config);
  await directory.settled(1000);

  return {
    port,
    ready,
    async stop() {
      draining = true;
      await stopAll({
        config,
        server,
        producer,
        linger,
        closing: [security, pressure, ...parts, directory],
      });
    },
  };
};
