/** Wires the export service: reads from its queue, several at once, each answered to the ingress that asked. */
import { pointsOfLoaded, work } from '@roster/contract';
import {
  createBatchWorker,
  createFence,
  createLateCharges,
  openConnection,
  profileQueues,
  queuesOf,
} from '@roster/queue';
import { type Config, type Context, measureAnswers, type Running, readyWhen } from '@roster/runtime';
import { classify, createLimitOf, openStore } from '@roster/store';
import { createAnswer, failed } from './answer.ts';
import { createSlots } from './slots.ts';

/** One job a turn: a short read does not wait for a long one that happens to come with it. */
const limits = { requests: 1, entries: 1000, bytes: 4_000_000 };

const exportsAtOnce = 4;

/** What fault tests exchange. */
export interface Replacements {
  batchWorker?: typeof createBatchWorker;
}

type ExportContext = Context<Config<'export'>>;

const startWorker = (
  context: ExportContext,
  answer: ReturnType<typeof createAnswer>,
  batchWorker: typeof createBatchWorker,
) =>
  batchWorker({
    url: context.config.REDIS_URL,
    queues: queuesOf('export', 1),
    limits,
    concurrency: 64,
    turnsAtOnce: 32,
    classify,
    apply: (requests) => Promise.all(requests.map(answer)),
    async dead({ id, op, ws }, { code }) {
      context.log.error({ request: id, op, ws, code }, 'a read failed');
      return failed;
    },
    on: measureAnswers(context, 'export', 'reads'),
  });

export const startExport = async (
  context: ExportContext,
  { batchWorker = createBatchWorker }: Replacements = {},
): Promise<Running> => {
  const { config, log } = context;
  const store = await openStore({
    url: config.MONGO_URL,
    appName: 'roster-export',
    secret: config.ROSTER_SECRET,
    onWaiting: (err) => log.warn({ err }, 'MongoDB is not there yet'),
  });
  const redis = openConnection('patient', config.REDIS_URL);
  const charges = createLateCharges({
    redis,
    rateOf: createLimitOf(store.workspaces, work),
    pointsOf: pointsOfLoaded,
  });
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
    loaded: charges.add,
  });

  const worker = startWorker(context, answer, batchWorker);
  return {
    ready: readyWhen({ Redis: worker.answers, MongoDB: store.ping }),
    async stop() {
      await worker.close();
      await charges.close();
      redis.disconnect();
      await store.close();
    },
  };
};
