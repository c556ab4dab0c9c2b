/** Wires the identity service: batches from its queue, each behind the fence and in one transaction; and the sweeps of what was deleted. */
import { pointsOfLoaded, work } from '@roster/contract';
import {
  createBatchWorker,
  createDeadLetters,
  createDeletions,
  createFence,
  createGate,
  createLoadedCharges,
  createPark,
  type Gate,
  later,
  openConnection,
  profileQueues,
  queuesOf,
  takeStamps,
} from '@roster/queue';
import {
  type Config,
  type Context,
  countResults,
  maskText,
  measureFence,
  measureLoaded,
  measureTurns,
  type Running,
  readyWhen,
} from '@roster/runtime';
import {
  classify,
  createInPieces,
  createLimitOf,
  type LoadLimits,
  openStore,
  type Transact,
} from '@roster/store';
import { appliedReply, failedReply } from './answers.ts';
import { createApply } from './apply.ts';
import { createLetterEraser } from './erase-letters.ts';
import { recordDeletions } from './record-deletions.ts';
import { createSweeper } from './sweeper.ts';

/** What fault tests exchange. */
export interface Replacements {
  batchWorker?: typeof createBatchWorker;
  fence?: Gate;
  transact?: Transact;
  sweeper?: typeof createSweeper;
  loadLimits?: LoadLimits;
  /** Shorter locks, for tests that don't want to wait until those of a dead worker have run out. */
  lockMs?: number;
}

const limits = { requests: 200, entries: 1000, bytes: 4_000_000 };

/** One waits for the fence or is prepared while MongoDB works on the other. */
const turnsAtOnce = 2;

/** MongoDB's own, when it does not tell. */
const defaultLifetimeSeconds = 60;

export const startIdentity = async (
  context: Context<Config<'identity'>>,
  replacements: Replacements = {},
): Promise<Running> => {
  const { config, log } = context;
  const { REDIS_URL, TRACK_PARTITIONS } = config;
  const store = await openStore({
    url: config.MONGO_URL,
    appName: 'roster-identity',
    secret: config.ROSTER_SECRET,
    ensureIndexes: true,
    onWaiting: (err) => log.warn({ err }, 'MongoDB is not there yet'),
  });
  const { conflict: onConflict, ...turns } = measureTurns(context, 'identity');
  const onApplied = countResults(context, {
    name: 'roster_identity_entries_total',
    help: 'Entries of requests that were applied, by what became of them.',
  });
  const redis = openConnection('patient', REDIS_URL);
  const loaded = measureLoaded(context, 'identity');
  const charges = createLoadedCharges({
    redis,
    rateOf: createLimitOf(store.workspaces, work),
    pointsOf: pointsOfLoaded,
  });
  const letters = createDeadLetters(redis, TRACK_PARTITIONS);
  const lifetimeSeconds = (await store.transactionLifetime()) ?? defaultLifetimeSeconds;

  const sweeper = (replacements.sweeper ?? createSweeper)({
    store,
    fence: createFence(redis, profileQueues(TRACK_PARTITIONS)),
    eraseLetters: createLetterEraser(store, letters),
    lifetimeMs: lifetimeSeconds * 1000,
    onError: (err) => log.error({ err }, 'a sweep failed and is tried again'),
  });
  const deletions = createDeletions(redis);
  const fence =
    replacements.fence ?? createGate(redis, queuesOf('track', TRACK_PARTITIONS), deletions.before);
  const apply = createApply({
    store,
    takeStamp: () => takeStamps(redis, 1),
    onConflict,
    onApplied,
    onDeleted: sweeper.nudge,
    inPieces: createInPieces({
      ...(replacements.loadLimits && { limits: replacements.loadLimits }),
      onLoaded(ws, bytes) {
        loaded(ws, bytes);
        charges.add(ws, bytes);
      },
    }),
    ...(replacements.transact && { transact: replacements.transact }),
  });
  const park = createPark({ letters, queue: 'identity', mask: maskText, fail: store.outcomes.fail, log });
  const worker = (replacements.batchWorker ?? createBatchWorker)({
    url: REDIS_URL,
    queues: queuesOf('identity', 1),
    limits,
    turnsAtOnce,
    ...(replacements.lockMs && { lockMs: replacements.lockMs }),
    classify,
    isWell: store.isWell,
    fence,
    async dead(request, cause) {
      const reason = await park(request, cause);
      await deletions.finished([request]);
      return failedReply(request, reason);
    },
    on: { ...turns, fenced: measureFence(context, 'identity') },
    async apply(requests) {
      const applied = await apply(requests);
      const done = requests.filter((_, index) => applied[index]);
      await recordDeletions(store, done);
      await deletions.finished(done);
      return requests.map((request, index) => {
        const outcome = applied[index];
        return outcome ? appliedReply(request, outcome) : later;
      });
    },
  });
  return {
    ready: readyWhen({ Redis: worker.answers, MongoDB: store.ping }),
    async stop() {
      await Promise.all([worker.close(), sweeper.stop()]);
      await charges.close();
      await letters.close();
      redis.disconnect();
      await store.close();
    },
  };
};
