/** Wires the track service: batches from its queues, one transaction for each. */
import { pointsOfLoaded, work } from '@roster/contract';
import type { Fold } from '@roster/profile';
import {
  createBatchWorker,
  createDeadLetters,
  createDeletions,
  createLoadedCharges,
  createOldestBeside,
  createPark,
  later,
  type OldestBeside,
  openConnection,
  queuesOf,
} from '@roster/queue';
import {
  type Config,
  type Context,
  maskText,
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
  type Store,
} from '@roster/store';
import { createTimelyApply } from './apply.ts';
import type { prepared } from './batch.ts';
import { createContested } from './contested.ts';
import type { PendingFor } from './deletions.ts';
import type { Marks } from './marks.ts';
import { createPlanner } from './planner.ts';
import { createReplies } from './replies.ts';
import { scheduleRetention } from './retention/schedule-retention.ts';
import { createSettingsOf } from './settings.ts';
import { createSync } from './sync.ts';

/** What fault tests exchange. */
export interface Replacements {
  batchWorker?: typeof createBatchWorker;
  marks?(store: Store): Marks;
  fold?: Fold;
  prepare?: typeof prepared;
  oldestBeside?: OldestBeside;
  pendingFor?: PendingFor;
  loadLimits?: LoadLimits;
  /** Between a commit and the end of its jobs: where a worker that dies has its work done again. */
  committed?(): Promise<void>;
  /** Shorter locks, for tests that don't want to wait until those of a dead worker have run out. */
  lockMs?: number;
}

const limits = { requests: 1000, entries: 2000, bytes: 4_000_000 };

/** One is prepared while MongoDB works on the other. */
const turnsAtOnce = 2;

const measures = (context: Context<unknown>) => {
  const { metrics } = context;
  const entriesApplied = metrics.counter({
    name: 'roster_track_entries_total',
    help: 'Entries of requests that were applied or parked.',
  });
  const waits = metrics.counter({
    name: 'roster_track_waits_total',
    help: 'Times that a request had to wait for what was accepted before it.',
  });
  const { turn, ...on } = measureTurns(context, 'track');
  return {
    ...on,
    turn(jobs: number, requests: number, entries: number, ms: number) {
      entriesApplied.with().inc(entries);
      turn(jobs, requests, entries, ms);
    },
    later: (requests: number) => waits.with().inc(requests),
  };
};

const longestLifetimeSeconds = 15;

const warnOfLongTransactions = async (store: Store, log: Context<unknown>['log']): Promise<void> => {
  const seconds = await store.transactionLifetime();
  if (seconds !== undefined && seconds > longestLifetimeSeconds)
    log.warn(
      { seconds, longestLifetimeSeconds },
      'what a killed worker leaves open blocks its people for so long: lower transactionLifetimeLimitSeconds of MongoDB to 10',
    );
};

export const startTrack = async (
  context: Context<Config<'track'>>,
  replacements: Replacements = {},
): Promise<Running> => {
  const { config, log } = context;
  const store = await openStore({
    url: config.MONGO_URL,
    appName: 'roster-track',
    secret: config.ROSTER_SECRET,
    ensureIndexes: true,
    onWaiting: (err) => log.warn({ err }, 'MongoDB is not there yet'),
  });
  await warnOfLongTransactions(store, log);
  const { conflict, ...on } = measures(context);
  const contested = createContested();
  const redis = openConnection('patient', config.REDIS_URL);
  const loaded = measureLoaded(context, 'track');
  const charges = createLoadedCharges({
    redis,
    rateOf: createLimitOf(store.workspaces, work),
    pointsOf: pointsOfLoaded,
  });
  const letters = createDeadLetters(redis, config.TRACK_PARTITIONS);
  const queues = queuesOf('track', config.TRACK_PARTITIONS);
  const { marks, fold, prepare, lockMs } = replacements;
  const settingsOf = createSettingsOf(store);
  const replies = createReplies(createSync({ store, planned: createPlanner(store), settingsOf }));
  const apply = createTimelyApply(
    {
      store,
      settingsOf,
      onConflict(_error, _attempt, batch) {
        conflict();
        contested.note(batch);
      },
      inPieces: createInPieces({
        ...(replacements.loadLimits && { limits: replacements.loadLimits }),
        onLoaded(ws, bytes) {
          loaded(ws, bytes);
          charges.add(ws, bytes);
        },
      }),
      ...(marks && { marks: marks(store) }),
      ...(fold && { fold }),
      ...(prepare && { prepare }),
    },
    {
      oldestBeside: replacements.oldestBeside ?? createOldestBeside(redis, queues),
      pendingFor: replacements.pendingFor ?? createDeletions(redis).pendingFor,
      secret: config.ROSTER_SECRET,
    },
  );
  const retention = await scheduleRetention(context, store);
  const park = createPark({ letters, queue: 'track', mask: maskText, fail: store.outcomes.fail, log });
  const worker = (replacements.batchWorker ?? createBatchWorker)({
    url: config.REDIS_URL,
    queues,
    limits,
    turnsAtOnce,
    ...(lockMs && { lockMs }),
    classify,
    isWell: store.isWell,
    isContested: contested.has,
    dead: async (request, cause) =>
      replies.failed(request, { state: 'failed', reason: await park(request, cause) }),
    on,
    async apply(requests, waitedEnough, own) {
      const outcomes = await apply(requests, waitedEnough, own);
      await replacements.committed?.();
      return Promise.all(
        requests.map((request, index) => {
          const outcome = outcomes[index];
          return outcome ? replies.applied(request, outcome) : later;
        }),
      );
    },
  });
  return {
    ready: readyWhen({ Redis: worker.answers, MongoDB: store.ping }),
    async stop() {
      await Promise.all([worker.close(), retention.close()]);
      await charges.close();
      await letters.close();
      redis.disconnect();
      await store.close();
    },
  };
};
