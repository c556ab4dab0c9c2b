import { createServer } from 'node:http';
import { everythingIn } from '@roster/access';
import { openPreviews } from '@roster/channels';
import {
  allQueues,
  answers,
  createPartitions,
  growing,
  knownOf,
  openConnection,
  type Partitions,
  type QueueName,
  type Queues,
  reportProcess,
  scheduleOf,
  schedules,
} from '@roster/queue';
import { type Config, closeServer, createSecurityLog, listen, readyWhen, type Start } from '@roster/runtime';
import { openStore, type Store } from '@roster/store';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { createApp } from './app.ts';
import { createBoard } from './board.ts';
import { collectEvents, keepInAudit } from './collect-events.ts';
import { keepHealed } from './heal.ts';
import { measureQueues, type Watched } from './queue-metrics.ts';
import { createSignIn } from './sign-in/sign-in.ts';
import { createWaits } from './waits.ts';

const look = (redis: Redis, { name, prefix }: QueueName): Queue => {
  const queue = new Queue(name, {
    prefix,
    connection: redis,
    skipMetasUpdate: true,
    skipWaitingForReady: true,
  });
  // `/health/ready` and `roster_redis_up` tell.
  queue.on('error', () => {});
  return queue;
};

/** A MongoDB that may be away, now or when this process starts. */
const createOpenStore = (url: string) => {
  let store: Promise<Store> | undefined;
  return {
    /** Opened when it is first asked for; throws while MongoDB is away. */
    open(): Promise<Store> {
      store ??= openStore({ url, appName: 'roster-monitor', maxPoolSize: 2, patienceMs: 0 }).catch(
        (error) => {
          store = undefined;
          throw error;
        },
      );
      return store;
    },
    // Who asked for it has heard of its failure.
    close: async () => (await store?.catch(() => undefined))?.close(),
  };
};

/** Those that are not watched yet. */
const lookMore = (redis: Redis, queues: Queues, watched: readonly Watched[]): Watched[] =>
  knownOf(queues)
    .filter(({ name }) => !watched.some(({ queueName }) => queueName.name === name))
    .map((queueName) => ({ queueName, queue: look(redis, queueName) }));

/** All queues and, where there are more, those. What is done from time to time holds no requests: it is on the board, and measured by those who do it. */
const watchQueues = (redis: Redis, partitions: Partitions) => {
  const counted = growing(partitions, allQueues);
  const scheduled = schedules.map((name) => look(redis, scheduleOf(name)));
  const watched = lookMore(redis, counted, []);
  const board = createBoard([...watched.map(({ queue }) => queue), ...scheduled]);
  partitions.onMore(() => {
    for (const one of lookMore(redis, counted, watched)) {
      watched.push(one);
      board.add(one.queue);
    }
  });
  return {
    counted,
    board: board.show,
    async now(): Promise<readonly Watched[]> {
      await partitions.ask();
      return watched;
    },
    async close(): Promise<void> {
      await Promise.allSettled(
        [...watched.map(({ queue }) => queue), ...scheduled].map((one) => one.close()),
      );
    },
  };
};

/** Redis and MongoDB may be away when it starts: the board is what one looks at then. */
export const startMonitor: Start<Config<'monitor'>> = async ({ config, log, metrics, processor }) => {
  const redis = openConnection('producer', config.REDIS_URL);
  // BullMQ gives a queue up for good when its first command fails, so its connection has to be one that waits.
  const patient = openConnection('patient', config.REDIS_URL);
  const queues = watchQueues(patient, createPartitions(redis, config.TRACK_PARTITIONS));
  const isThere = () => patient.status === 'ready';
  const truth = createOpenStore(config.MONGO_URL);
  const healing = keepHealed({
    redis,
    readTruth: async () => everythingIn(await truth.open()),
    log,
    metrics,
  });
  measureQueues(metrics, redis, queues.now);
  const security = createSecurityLog({
    log,
    keep: async (events) => keepInAudit(await truth.open(), events),
  });
  const collecting = collectEvents({ redis, openStore: truth.open, log });
  const signIn = createSignIn({
    mode: config.MONITOR_SIGN_IN,
    openStore: truth.open,
    hosts: `${config.HOST},${config.MONITOR_HOSTS}`,
    note: security.note,
    onError: (err) => log.error({ err }, 'a form of the sign-in failed'),
  });
  const previews = openPreviews();
  const report = reportProcess(config.REDIS_URL, processor);
  const app = createApp({
    board: queues.board,
    isRedisThere: isThere,
    signIn,
    openStore: truth.open,
    previews,
    outboxToken: config.OUTBOX_TOKEN,
    waits: createWaits({ redis, queues: queues.counted, openStore: truth.open, metrics }),
    trustedProxies: config.TRUSTED_PROXIES,
  });
  const server = createServer(app);
  server.requestTimeout = 30_000;
  const port = await listen(server, config.MONITOR_PORT, config.HOST);
  return {
    port,
    ready: readyWhen({ Redis: () => answers(redis, patient) }),
    async stop() {
      await Promise.all([closeServer(server), healing.stop(), collecting.stop()]);
      await security.close();
      await previews.close();
      report.close();
      patient.disconnect();
      redis.disconnect();
      await queues.close();
      await truth.close();
    },
  };
};
