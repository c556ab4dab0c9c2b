/** Wires the subscription service: batches from its queue, each behind the fence and in one transaction; and what lapses after 30 days. */
import type { AcceptedRequest } from '@roster/contract';
import {
  allQueues,
  type Cause,
  createBatchWorker,
  createDeadLetters,
  createFence,
  createSchedule,
  openPatientConnection,
  queuesOf,
  type Reply,
  scheduleOf,
  takeStamps,
} from '@roster/queue';
import type { Config, Context, Running } from '@roster/runtime';
import { classify, openStore, type Store } from '@roster/store';
import { appliedReply, failedReply } from './answers.ts';
import { type ApplyOptions, createApply, type Entries } from './apply.ts';
import { createOrphanSweep } from './orphans.ts';
import { createOutcomeDaysOf } from './settings.ts';

/** What fault tests exchange. */
export interface Replacements extends Pick<ApplyOptions, 'planned'> {
  /** Shorter locks, for tests that don't want to wait until those of a dead worker have run out. */
  lockMs?: number;
}

const limits = { requests: 200, entries: 1000, bytes: 4_000_000 };

/** One waits for the fence or is prepared while MongoDB works on the other. */
const turnsAtOnce = 2;

const sweepEveryMs = 3600_000;

const measures = ({ metrics, log }: Context<unknown>) => {
  const namesApplied = metrics.counter({
    name: 'roster_subscription_names_total',
    help: 'Names of requests that were applied, by what became of them.',
    labels: ['operation', 'result', 'reason'],
  });
  const waits = metrics.histogram({
    name: 'roster_subscription_fence_seconds',
    help: 'Time that a batch waited for what was accepted before it.',
  });
  const turns = metrics.histogram({
    name: 'roster_subscription_turn_seconds',
    help: 'Time to apply one batch of jobs.',
  });
  const conflicts = metrics.counter({
    name: 'roster_subscription_conflicts_total',
    help: 'Transactions that another one was in the way of.',
  });
  const retries = metrics.counter({
    name: 'roster_subscription_retries_total',
    help: 'Batches that failed and are tried again or cut in halves.',
  });
  return {
    onConflict: () => conflicts.with().inc(),
    onApplied({ op }: AcceptedRequest, entries: Entries) {
      for (const outcome of Object.values(entries).flat()) {
        const [result = '', reason = ''] = outcome.split(':', 2);
        namesApplied.with(op, result, reason).inc();
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
    await letters.add({ id, queue: 'subscription', code, reason, at: new Date().toISOString(), request });
    await store.outcomes.fail(request, `${code}: ${reason}`);
    log.error({ request: id, op, ws, code }, 'dead letter');
    return failedReply(request);
  };

/** Those whose requests may give somebody an email or phone. */
const everythingWritten = (partitions: number) =>
  allQueues(partitions).filter(({ name }) => name !== 'export' && name !== 'dead');

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
  const { on, onApplied, onConflict } = measures(context);
  const redis = openPatientConnection(REDIS_URL);
  redis.on('error', () => {});
  const letters = createDeadLetters(redis, TRACK_PARTITIONS);

  const fence = createFence(redis, queuesOf('track', TRACK_PARTITIONS));
  const { planned, lockMs } = replacements;
  const apply = createApply({
    store,
    outcomeDaysOf: createOutcomeDaysOf(store),
    onConflict,
    onApplied,
    ...(planned && { planned }),
  });
  const sweepFence = createFence(redis, everythingWritten(TRACK_PARTITIONS));
  const sweep = createOrphanSweep({
    store,
    now: () => takeStamps(redis, 1),
    isPast: sweepFence.isPast,
  });
  const schedule = await createSchedule({
    url: REDIS_URL,
    queue: scheduleOf('orphans'),
    everyMs: sweepEveryMs,
    async run() {
      const addresses = await sweep();
      log.debug({ addresses }, 'statements about addresses that nobody had');
    },
    onError: (err) => log.error({ err }, 'statements about addresses that nobody had could not be looked at'),
  });
  const worker = createBatchWorker({
    url: REDIS_URL,
    queues: queuesOf('subscription', 1),
    limits,
    turnsAtOnce,
    ...(lockMs && { lockMs }),
    classify,
    fence,
    dead: createDead(store, letters, log),
    on,
    async apply(requests) {
      await apply(requests);
      return requests.map(appliedReply);
    },
  });
  return {
    ready: async () => (await store.ping()) || 'MongoDB is away',
    async stop() {
      await Promise.all([worker.close(), schedule.close()]);
      await letters.close();
      redis.disconnect();
      await store.close();
    },
  };
};
