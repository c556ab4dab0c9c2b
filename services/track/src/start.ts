/** Wires the track service: batches from its queues, one transaction for each. */
import { type AcceptedRequest, type Outcome, outcomeReport } from '@roster/contract';
import type { Fold } from '@roster/profile';
import {
  type Cause,
  createBatchWorker,
  createDeadLetters,
  openPatientConnection,
  queuesOf,
  type Reply,
} from '@roster/queue';
import type { Config, Context, Running } from '@roster/runtime';
import { classify, openStore, type Store } from '@roster/store';
import { createApply } from './apply.ts';
import type { Marks } from './marks.ts';
import { createSettingsOf } from './settings.ts';

/** What fault tests exchange. */
export interface Replacements {
  marks?(store: Store): Marks;
  fold?: Fold;
  /** Shorter locks, for tests that don't want to wait until those of a dead worker have run out. */
  lockMs?: number;
}

const limits = { requests: 1000, entries: 2000, bytes: 4_000_000 };

/** One is prepared while MongoDB works on the other. */
const turnsAtOnce = 2;

const unwanted: Reply = { status: 200, body: '' };

/** Written out only for those who wait for it. */
const replyTo = ({ id, reply }: AcceptedRequest, outcome: Outcome): Reply =>
  reply ? { status: 200, body: JSON.stringify({ request_id: id, ...outcomeReport(outcome) }) } : unwanted;

const measures = ({ metrics, log }: Context<unknown>) => {
  const entriesApplied = metrics.counter({
    name: 'roster_track_entries_total',
    help: 'Entries of requests that were applied or parked.',
  });
  const turns = metrics.histogram({
    name: 'roster_track_turn_seconds',
    help: 'Time to apply one batch of jobs.',
  });
  const conflicts = metrics.counter({
    name: 'roster_track_conflicts_total',
    help: 'Transactions that another one was in the way of.',
  });
  const retries = metrics.counter({
    name: 'roster_track_retries_total',
    help: 'Batches that failed and are tried again or cut in halves.',
  });
  return {
    onConflict: () => conflicts.with().inc(),
    turn(jobs: number, requests: number, entries: number, ms: number) {
      entriesApplied.with().inc(entries);
      turns.with().observe(ms / 1000);
      log.debug({ jobs, requests, entries, ms }, 'turn');
    },
    retry(err: unknown, requests: number) {
      retries.with().inc();
      log.warn({ err, requests }, 'a batch is tried again');
    },
    error: (err: unknown) => log.error({ err }, 'the queue could not be served'),
  };
};

/** Read-only until MongoDB has it, then parked: in this order a crash in between leaves at most a letter too many. */
const createDead =
  (store: Store, letters: ReturnType<typeof createDeadLetters>, log: Context<unknown>['log']) =>
  async (request: AcceptedRequest, { code, reason }: Cause): Promise<Reply> => {
    const { id, op, ws } = request;
    await letters.add({ id, queue: 'track', code, reason, at: new Date().toISOString(), request });
    await store.outcomes.fail(request, `${code}: ${reason}`);
    log.error({ request: id, op, ws, code }, 'dead letter');
    return replyTo(request, { state: 'failed', reason: `${code}: ${reason}` });
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
    ensureIndexes: true,
    onWaiting: (err) => log.warn({ err }, 'MongoDB is not there yet'),
  });
  await warnOfLongTransactions(store, log);
  const { onConflict, ...on } = measures(context);
  const redis = openPatientConnection(config.REDIS_URL);
  redis.on('error', () => {});
  const letters = createDeadLetters(redis, config.TRACK_PARTITIONS);
  const { marks, fold, lockMs } = replacements;
  const apply = createApply({
    store,
    settingsOf: createSettingsOf(store),
    onConflict,
    ...(marks && { marks: marks(store) }),
    ...(fold && { fold }),
  });
  const worker = createBatchWorker({
    url: config.REDIS_URL,
    queues: queuesOf('track', config.TRACK_PARTITIONS),
    limits,
    turnsAtOnce,
    ...(lockMs && { lockMs }),
    classify,
    dead: createDead(store, letters, log),
    on,
    async apply(requests) {
      const outcomes = await apply(requests);
      return requests.map((request, index) => replyTo(request, outcomes[index] ?? { state: 'applied' }));
    },
  });
  return {
    ready: async () => (await store.ping()) || 'MongoDB is away',
    async stop() {
      await worker.close();
      await letters.close();
      redis.disconnect();
      await store.close();
    },
  };
};
