/** Wires the identity service: batches from its queue, each behind the fence and in one transaction; and the sweeps of what was deleted. */
import type { AcceptedRequest } from '@roster/contract';
import {
  allQueues,
  type Cause,
  createBatchWorker,
  createDeadLetters,
  createFence,
  type Fence,
  openPatientConnection,
  queuesOf,
  type Reply,
  takeStamps,
} from '@roster/queue';
import type { Config, Context, Running } from '@roster/runtime';
import { classify, openStore, type Store, type Transact } from '@roster/store';
import { appliedReply, failedReply } from './answers.ts';
import { createApply, type Entries } from './apply.ts';
import { createLetterEraser } from './erase-letters.ts';
import { createOutcomeDaysOf } from './settings.ts';
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

const measures = ({ metrics, log }: Context<unknown>) => {
  const entriesApplied = metrics.counter({
    name: 'roster_identity_entries_total',
    help: 'Entries of requests that were applied, by what became of them.',
    labels: ['operation', 'result', 'reason'],
  });
  const waits = metrics.histogram({
    name: 'roster_identity_fence_seconds',
    help: 'Time that a batch waited for what was accepted before it.',
  });
  const turns = metrics.histogram({
    name: 'roster_identity_turn_seconds',
    help: 'Time to apply one batch of jobs.',
  });
  const conflicts = metrics.counter({
    name: 'roster_identity_conflicts_total',
    help: 'Transactions that another one was in the way of.',
  });
  const retries = metrics.counter({
    name: 'roster_identity_retries_total',
    help: 'Batches that failed and are tried again or cut in halves.',
  });
  return {
    onConflict: () => conflicts.with().inc(),
    onApplied({ op }: AcceptedRequest, entries: Entries) {
      for (const outcome of Object.values(entries).flat()) {
        const [result = '', reason = ''] = outcome.split(':', 2);
        entriesApplied.with(op, result, reason).inc();
      }
    },
    on: {
      fenced: (ms: number) => waits.with().observe(ms / 1000),
      turn(jobs: number, requests: number, entries: number, ms: number) {
        turns.with().observe(ms / 1000);
        log.debug({ jobs, requests, entries, ms }, 'turn');
      },
      retry(err: unknown, requests: number) {
        retries.with().inc();
        log.warn({ err, requests }, 'a batch is tried again');
      },
      error: (err: unknown) => log.error({ err }, 'the queue could not be served'),
    },
  };
};

/** Read-only until MongoDB has it, then parked: in this order a crash in between leaves at most a letter too many. */
const createDead =
  (store: Store, letters: ReturnType<typeof createDeadLetters>, log: Context<unknown>['log']) =>
  async (request: AcceptedRequest, { code, reason }: Cause): Promise<Reply> => {
    const { id, op, ws } = request;
    await letters.add({ id, queue: 'identity', code, reason, at: new Date().toISOString(), request });
    await store.outcomes.fail(request, `${code}: ${reason}`);
    log.error({ request: id, op, ws, code }, 'dead letter');
    return failedReply(request, `${code}: ${reason}`);
  };

const everythingWritten = (partitions: number) =>
  allQueues(partitions).filter(({ name }) => name !== 'export' && name !== 'dead');

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
  const { on, onApplied, onConflict } = measures(context);
  const redis = openPatientConnection(REDIS_URL);
  redis.on('error', () => {});
  const letters = createDeadLetters(redis, TRACK_PARTITIONS);
  const lifetimeSeconds = (await store.transactionLifetime()) ?? defaultLifetimeSeconds;

  const sweeper = (replacements.sweeper ?? createSweeper)({
    store,
    fence: createFence(redis, everythingWritten(TRACK_PARTITIONS)),
    eraseLetters: createLetterEraser(store, letters),
    lifetimeMs: lifetimeSeconds * 1000,
    onError: (err) => log.error({ err }, 'a sweep failed and is tried again'),
  });
  const fence = replacements.fence ?? createFence(redis, queuesOf('track', TRACK_PARTITIONS));
  const apply = createApply({
    store,
    takeStamp: () => takeStamps(redis, 1),
    outcomeDaysOf: createOutcomeDaysOf(store),
    onConflict,
    onApplied,
    onDeleted: sweeper.nudge,
    ...(replacements.transact && { transact: replacements.transact }),
  });
  const worker = createBatchWorker({
    url: REDIS_URL,
    queues: queuesOf('identity', 1),
    limits,
    turnsAtOnce,
    ...(replacements.lockMs && { lockMs: replacements.lockMs }),
    classify,
    fence,
    dead: createDead(store, letters, log),
    on,
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
