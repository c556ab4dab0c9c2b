/** Wires the subscription service: batches from its queue, each behind the fence and in one transaction; and what lapses after 30 days. */
import {
  createBatchWorker,
  createDeadLetters,
  createGate,
  createPark,
  createSchedule,
  later,
  openConnection,
  queuesOf,
  scheduleOf,
} from '@roster/queue';
import {
  type Config,
  type Context,
  countResults,
  maskText,
  measureFence,
  measureTurns,
  type Running,
  readyWhen,
} from '@roster/runtime';
import { classify, openStore } from '@roster/store';
import { appliedReply, failedReply } from './answers.ts';
import { type ApplyOptions, createApply } from './apply.ts';
import { createOrphanSweep } from './orphans.ts';

/** What fault tests exchange. */
export interface Replacements extends Pick<ApplyOptions, 'planned'> {
  batchWorker?: typeof createBatchWorker;
  /** Shorter locks, for tests that don't want to wait until those of a dead worker have run out. */
  lockMs?: number;
}

const limits = { requests: 200, entries: 1000, bytes: 4_000_000 };

/** One waits for the fence or is prepared while MongoDB works on the other. */
const turnsAtOnce = 2;

const sweepEveryMs = 3600_000;

export const startSubscription = async (
  context: Context<Config<'subscription'>>,
  replacements: Replacements = {},
): Promise<Running> => {
  const { config, log } = context;
  const { REDIS_URL, TRACK_PARTITIONS } = config;
  const store = await openStore({
    url: config.MONGO_URL,
    appName: 'roster-subscription',
    secret: config.ROSTER_SECRET,
    ensureIndexes: true,
    onWaiting: (err) => log.warn({ err }, 'MongoDB is not there yet'),
  });
  const { conflict: onConflict, ...turns } = measureTurns(context, 'subscription');
  const onApplied = countResults(context, {
    name: 'roster_subscription_names_total',
    help: 'Names of requests that were applied, by what became of them.',
  });
  const redis = openConnection('patient', REDIS_URL);
  const letters = createDeadLetters(redis, TRACK_PARTITIONS);

  // Who that is was perhaps said just before. No circle: identity waits for track only.
  const fence = createGate(redis, [...queuesOf('track', TRACK_PARTITIONS), ...queuesOf('identity', 1)]);
  const { planned, lockMs } = replacements;
  const apply = createApply({
    store,
    onConflict,
    onApplied,
    ...(planned && { planned }),
  });
  const sweep = createOrphanSweep({ store });
  const schedule = await createSchedule({
    url: REDIS_URL,
    queue: scheduleOf('orphans'),
    everyMs: sweepEveryMs,
    async run() {
      const contacts = await sweep();
      log.debug({ contacts }, 'states of contacts that perhaps nobody has');
    },
    onError: (err) => log.error({ err }, 'states of contacts that nobody has could not be looked at'),
  });
  const park = createPark({ letters, queue: 'subscription', mask: maskText, fail: store.outcomes.fail, log });
  const worker = (replacements.batchWorker ?? createBatchWorker)({
    url: REDIS_URL,
    queues: queuesOf('subscription', 1),
    limits,
    turnsAtOnce,
    ...(lockMs && { lockMs }),
    classify,
    isWell: store.isWell,
    fence,
    async dead(request, cause) {
      await park(request, cause);
      return failedReply(request);
    },
    on: { ...turns, fenced: measureFence(context, 'subscription') },
    async apply(requests) {
      const applied = await apply(requests);
      return requests.map((request, index) => (applied[index] ? appliedReply(request) : later));
    },
  });
  return {
    ready: readyWhen({ Redis: worker.answers, MongoDB: store.ping }),
    async stop() {
      await Promise.all([worker.close(), schedule.close()]);
      await letters.close();
      redis.disconnect();
      await store.close();
    },
  };
};
