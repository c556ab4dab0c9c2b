/** Wires the export service: reads from its queue, several at once, each answered to the ingress that asked. */
import { createBatchWorker, createFence, openConnection, profileQueues, queuesOf } from '@roster/queue';
import { type Config, type Context, type Running, readyWhen } from '@roster/runtime';
import { classify, openStore } from '@roster/store';
import { createAnswer, failed } from './answer.ts';
import { createSlots } from './slots.ts';

/** One job a turn: a short read does not wait for a long one that happens to come with it. */
const limits = { requests: 1, entries: 1000, bytes: 4_000_000 };

const exportsAtOnce = 4;

/** What fault tests exchange. */
export interface Replacements {
  batchWorker?: typeof createBatchWorker;
}

export const startExport = async (
  { config, log, metrics }: Context<Config<'export'>>,
  { batchWorker = createBatchWorker }: Replacements = {},
): Promise<Running> => {
  const store = await openStore({
    url: config.MONGO_URL,
    appName: 'roster-export',
    secret: config.ROSTER_SECRET,
    onWaiting: (err) => log.warn({ err }, 'MongoDB is not there yet'),
  });
  const redis = openConnection('patient', config.REDIS_URL);
  const fence = createFence(redis, profileQueues(config.TRACK_PARTITIONS));
  const answer = createAnswer({
    store,
    fence,
    outcomeFence: createFence(redis, [
      ...profileQueues(config.TRACK_PARTITIONS),
      ...queuesOf('messaging', 1),
    ]),
    secret: config.ROSTER_SECRET,
    slots: createSlots(exportsAtOnce),
  });
  const turns = metrics.histogram({
    name: 'roster_export_turn_seconds',
    help: 'Time to answer one batch of reads.',
  });

  const worker = batchWorker({
    url: config.REDIS_URL,
    queues: queuesOf('export', 1),
    limits,
    concurrency: 64,
    turnsAtOnce: 32,
    classify,
    apply: (requests) => Promise.all(requests.map(answer)),
    async dead({ id, op, ws }, { code }) {
      log.error({ request: id, op, ws, code }, 'a read failed');
      return failed;
    },
    on: {
      turn: (_jobs, _requests, _entries, ms) => turns.with().observe(ms / 1000),
      retry: (err, requests) => log.warn({ err, requests }, 'a batch of reads is tried again'),
      error: (err) => log.error({ err }, 'the queue could not be served'),
    },
  });

  return {
    ready: readyWhen({ Redis: worker.answers, MongoDB: store.ping }),
    async stop() {
      await worker.close();
      redis.disconnect();
      await store.close();
    },
  };
};
