/** Wires the export service: reads from its queue, several at once, each answered to the ingress that asked. */
import { type AnswersReplacements, openCharges, openServiceStore, startAnswers } from '@roster/batch';
import { type AcceptedRequest, pointsOfLoaded } from '@roster/contract';
import { createFence, openConnection, profileQueues, queuesOf } from '@roster/queue';
import { type Config, type Context, type Running, readyWhen } from '@roster/runtime';
import { createAnswer } from './answer.ts';
import { failed } from './replies.ts';
import { createSlots } from './slots.ts';

/** One job a turn: a short read does not wait for a long one that happens to come with it. */
const limits = { requests: 1, entries: 1000, bytes: 4_000_000 };

const exportsAtOnce = 4;

type ExportContext = Context<Config<'export'>>;

export const startExport = async (
  context: ExportContext,
  replacements: AnswersReplacements = {},
): Promise<Running> => {
  const { config } = context;
  const store = await openServiceStore('export', context, { ensureIndexes: false });
  const redis = openConnection('patient', config.REDIS_URL);
  const charges = openCharges(context, { store, redis, pointsOf: pointsOfLoaded });
  const fence = createFence(redis, profileQueues(config.TRACK_PARTITIONS));
  const answer = createAnswer({
    store,
    fence,
    outcomeFence: createFence(redis, [
      ...profileQueues(config.TRACK_PARTITIONS),
      ...queuesOf('messaging', 1),
      ...queuesOf('integrations', 1),
    ]),
    secret: config.ROSTER_SECRET,
    slots: createSlots(exportsAtOnce),
    loaded: charges.add,
  });

  const answering = {
    name: 'export',
    what: 'reads',
    store,
    limits,
    concurrency: 64,
    turnsAtOnce: 32,
    apply: (requests: readonly AcceptedRequest[]) => Promise.all(requests.map(answer)),
    failed: () => failed,
  } as const;
  const worker = startAnswers(context, answering, replacements);
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
