/** Wires the identity service: batches from its queue, each behind the fence and in one transaction; and the sweeps of what was deleted. */
import {
  createBatchWorker,
  createDeadLetters,
  createFence,
  createPark,
  type Fence,
  openPatientConnection,
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
  measureTurns,
  type Running,
} from '@roster/runtime';
import { classify, openStore, type Transact } from '@roster/store';
import { appliedReply, failedReply } from './answers.ts';
import { createApply } from './apply.ts';
import { createLetterEraser } from './erase-letters.ts';
import { createSweeper } from './sweeper.ts';

/** What fault tests exchange. */
export interface Replacements {
  fence?: Fence;
  transact?: Transact;
  sweeper?: typeof createSweeper;
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
  const redis = openPatientConnection(REDIS_URL);
  redis.on('error', () => {});
  const letters = createDeadLetters(redis, TRACK_PARTITIONS);
  const lifetimeSeconds = (await store.transactionLifetime()) ?? defaultLifetimeSeconds;

  const sweeper = (replacements.sweeper ?? createSweeper)({
    store,
    fence: createFence(redis, profileQueues(TRACK_PARTITIONS)),
    eraseLetters: createLetterEraser(store, letters),
    lifetimeMs: lifetimeSeconds * 1000,
    onError: (err) => log.error({ err }, 'a sweep failed and is tried again'),
  });
  const fence = replacements.fence ?? createFence(redis, queuesOf('track', TRACK_PARTITIONS));
  const apply = createApply({
    store,
    takeStamp: () => takeStamps(redis, 1),
    onConflict,
    onApplied,
    onDeleted: sweeper.nudge,
    ...(replacements.transact && { transact: replacements.transact }),
  });
  const park = createPark({ letters, queue: 'identity', mask: maskText, fail: store.outcomes.fail, log });
  const worker = createBatchWorker({
    url: REDIS_URL,
    queues: queuesOf('identity', 1),
    limits,
    turnsAtOnce,
    ...(replacements.lockMs && { lockMs: replacements.lockMs }),
    classify,
    fence,
    dead: async (request, cause) => failedReply(request, await park(request, cause)),
    on: { ...turns, fenced: measureFence(context, 'identity') },
    async apply(requests) {
      const entries = await apply(requests);
      return requests.map((request, index) => appliedReply(request, entries[index] ?? {}));
    },
  });
  return {
    ready: async () => (await store.ping()) || 'MongoDB is away',
    async stop() {
      await Promise.all([worker.close(), sweeper.stop()]);
      await letters.close();
      redis.disconnect();
      await store.close();
    },
  };
};
