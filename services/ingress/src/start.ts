import { createServer, type RequestListener, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDirectory } from '@roster/access';
import {
  answers,
  createProducer,
  growingTrack,
  hasReplicas,
  leaveEvents,
  openConnection,
  type Producer,
  reportProcess,
  shareOfMemory,
  type takeStamps,
  watchPressure,
} from '@roster/queue';
import {
  type Config,
  type Context,
  type CountedEvent,
  createSecurityLog,
  listen,
  type Running,
  readyWhen,
} from '@roster/runtime';
import { secretsOf } from '@roster/secrets';
import { createApp } from './app.ts';
import { boundsOf } from './bounds.ts';
import { refuseBrokenRequests } from './broken-requests.ts';
import { inviteWhenRead } from './early-answer.ts';
import type { Edge } from './edge.ts';
import { holdToSafety } from './hold-to-safety.ts';
import { createLimiter } from './limiter.ts';
import { createLinger, type Linger } from './linger.ts';
import { groupCounter, observer } from './measures.ts';

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

const inviteCallers = (server: Server, app: RequestListener): void => {
  server.on('checkContinue', (request, response) => {
    inviteWhenRead(request, response);
    app(request, response);
  });
};

/** Parts that fault tests replace. */
export interface IngressReplacements {
  /** All requests in one lane, however much a workspace sends. */
  oneLane?: boolean;
  /** Stamps by another clock than that of Redis. */
  takeStamps?: typeof takeStamps;
  /** What happens to a connection after its request was answered before it was read. */
  linger?: Linger;
  /** No price, no limit of what a body may hold, no bound on bytes and time. */
  unbounded?: boolean;
}

const producerSettings = (config: Config<'ingress'>) => ({
  url: config.REDIS_URL,
  secret: secretsOf(config),
  partitions: config.TRACK_PARTITIONS,
  waitReplicas: config.REDIS_WAIT_REPLICAS,
  idempotencyHours: config.IDEMPOTENCY_HOURS,
});

const openDirectory = ({ config, log }: Context<Config<'ingress'>>) => {
  const reader = openConnection('producer', config.REDIS_URL);
  const subscriber = openConnection('subscriber', config.REDIS_URL);
  const directory = createDirectory({ reader, subscriber, pepper: secretsOf(config), log });
  return { reader, subscriber, directory };
};

/** The identity service writes deletions into the audit log itself, together with their effect. */
const forAudit = (events: readonly CountedEvent[]) =>
  events.filter(({ event }) => event !== 'people.deleted');

const listenOn = async (edge: Edge, ready: ReadyCheck, config: Config<'ingress'>) => {
  const { TRUSTED_PROXIES: trustedProxies, BOARD_URL: boardUrl } = config;
  const app = createApp(edge, { ready }, { trustedProxies, boardUrl });
  const server = createServer(serverOptions, app);
  refuseBrokenRequests(server, edge.linger);
  inviteCallers(server, app);
  return { server, port: await listen(server, config.PORT, config.HOST) };
};

type ReadyCheck = () => Promise<true | string>;

/** True, or the reason why callers should go elsewhere. */
const readinessOf = (
  { draining, directory, producer }: Edge,
  connections: readonly Producer['redis'][],
  replicas: number,
): ReadyCheck => {
  const serversAnswer = readyWhen({
    Redis: () => answers(...connections),
    'a replica of Redis': () => hasReplicas(producer.redis, replicas),
  });
  return async () => {
    if (draining()) return 'stopping';
    const verdict = await serversAnswer();
    if (verdict !== true) return verdict;
    return directory.listening() || 'changes of keys are not heard yet';
  };
};

/** Finishes the requests at work, without all that wait for results, and then closes Redis. */
const stopAll = async (
  { producer, linger }: Edge,
  server: Server,
  closing: readonly { close(): void | Promise<void> }[],
): Promise<void> => {
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
  { unbounded = false, ...replacements }: IngressReplacements = {},
): Promise<Running> => {
  const { config, log, metrics } = context;
  const mostKept = (): number => shareOfMemory(config.IDEMPOTENCY_SHARE, pressure.gauge());
  const producer = createProducer({
    ...producerSettings(config),
    onGroup: groupCounter(context),
    ...(unbounded ? { packFrom: Number.POSITIVE_INFINITY } : { mostKept }),
    ...replacements,
  });
  await holdToSafety(producer, config.ROSTER_ALLOW_UNSAFE_REDIS, log);
  const { redis } = producer;
  const { directory, ...readers } = openDirectory(context);
  const pressure = watchPressure({
    redis,
    queues: growingTrack(producer.partitions),
    limits: config,
  });
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

  const report = reportProcess(config.REDIS_URL, context.processor);
  const connections = [...producer.connections, readers.reader, readers.subscriber];
  const ready = readinessOf(edge, connections, config.REDIS_WAIT_REPLICAS);
  const { server, port } = await listenOn(edge, ready, config);
  await directory.settled(1000);

  return {
    port,
    ready,
    async stop() {
      draining = true;
      // Requests are still accepted for a moment.
      await sleep(config.DRAIN_SECONDS * 1000);
      await stopAll(edge, server, [security, pressure, ...parts, directory, report]);
    },
  };
};
