/** Wires the export service: reads from its queue, several at once, each answered to the ingress that asked. */
import {
  type AnswersReplacements,
  createSlots,
  openCharges,
  openServiceStore,
  startAnswers,
} from '@roster/batch';
import { pointsOfLoaded } from '@roster/contract';
import {
  createFence,
  createPartitions,
  growing,
  openConnection,
  profileQueues,
  queuesOf,
} from '@roster/queue';
import type { Config, Context } from '@roster/runtime';
import { secretsOf } from '@roster/secrets';
import { createAnswer } from './answer.ts';

/** One job a turn: a short read does not wait for a long one that happens to come with it. */
const limits = { requests: 1, entries: 1000, bytes: 4_000_000 };

const exportsAtOnce = 4;

const withOutcomes = (partitions: number) => [
  ...profileQueues(partitions),
  ...queuesOf('messaging', 1),
  ...queuesOf('integrations', 1),
];

export const startExport = async (
  context: Context<Config<'export'>>,
  replacements: AnswersReplacements = {},
) => {
  const { config } = context;
  const store = await openServiceStore('export', context);
  const redis = openConnection('patient', config.REDIS_URL);
  const charges = openCharges({ store, redis }, pointsOfLoaded);
  const partitions = createPartitions(redis, config.TRACK_PARTITIONS);
  const fence = createFence(redis, growing(partitions, profileQueues));
  const answer = createAnswer({
    store,
    fence,
    // Whatever waits is told as such, for however long.
    outcomeFence: createFence(redis, growing(partitions, withOutcomes), Number.POSITIVE_INFINITY),
    secret: secretsOf(config),
    slots: createSlots(exportsAtOnce),
    loaded: charges.add,
  });
  return startAnswers(
    context,
    {
      name: 'export',
      what: 'reads',
      store,
      limits,
      concurrency: 64,
      turnsAtOnce: 32,
      apply: (requests) => Promise.all(requests.map(answer)),
      async close() {
        await charges.close();
        redis.disconnect();
        await store.close();
      },
    },
    replacements,
  );
};
