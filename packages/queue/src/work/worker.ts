import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptedRequest } from '@roster/contract';
import { type Job, WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { answers, blockSeconds, openConnection } from '../connection.ts';
import { type Group, sum, unpack } from '../group.ts';
import type { Computing } from '../guard/computing.ts';
import type { FailureClass } from '../guard/course.ts';
import type { Cause } from '../guard/evidence.ts';
import { createRecovery } from '../guard/recovery.ts';
import { openWatch, type Watch } from '../guard/watch.ts';
import type { QueueName } from '../names.ts';
import type { Gate } from '../order/fence.ts';
import { behindFence } from '../order/pass-fence.ts';
import {
  createPostponer,
  type InHand,
  inHand,
  mostTries,
  type Postponed,
  pauseMs,
  postponed,
  sizeOf,
} from '../order/postponed.ts';
import { followMore, knownOf, type Queues } from '../partitions.ts';
import type { Reply } from '../reply/pieces.ts';
import { sendReplies } from '../reply/reply.ts';
import { createKept } from './kept.ts';
import { createOwnJobs, type OwnJobs } from './own-jobs.ts';
import { createParting, type IsKnown, park, parkedAtFirst } from './parked.ts';
import { createSettle, Released } from './settle.ts';
import { createSubmitGroup, type LeasedJob } from './submit-group.ts';
import { type BatchLimits, createTurns } from './turns.ts';

export interface BatchWorkerOptions {
  url: string;
  queues: Queues;
  limits: BatchLimits;
  /** Jobs leased for each queue: one at work, the others ready for the next turn. The fence relies on at most four. */
  concurrency?: number;
  /** Turns under way at the same time, of heavy workspaces and of others. The order does not depend on it: the stamps carry it. */
  turnsAtOnce?: number;
  lockMs?: number;
  /** So many replicas of Redis have a job before it has an effect; none if nothing is said. */
  waitReplicas?: number;
  /** The most times that a request is postponed. */
  mostTries?: number;
  /** Used by `apply` while it computes: a process that ends then is evidence against its requests. */
  computing?: Computing;
  /** Watches the process: see watch.ts. */
  watch?: Watch;
  /** A request that has not passed the fence waits in a job of its own, without a limit. */
  fence?: Gate;
  /**
   * Applies the requests of one turn, all or none, and returns a reply for each. For a request that must wait for an earlier one it may
   * return `postponed`, without an effect, unless that request has waited long enough. `own` are the jobs of this turn.
   */
  apply(
    requests: AcceptedRequest[],
    waitedEnough: ReadonlySet<string>,
    own: OwnJobs,
  ): Promise<(Reply | Postponed)[]>;
  isKnown: IsKnown;
  classify(error: unknown): FailureClass;
  /** Whether the database works: see settle.ts. */
  isWell?(): Promise<boolean>;
  /** Whether transactions collide at the moment over a person in this request: its retries must not delay other requests. */
  isContested?(request: AcceptedRequest): boolean;
  dead(request: AcceptedRequest, cause: Cause): Promise<Reply>;
  on?: {
    turn?(jobs: number, requests: number, entries: number, ms: number): void;
    retry?(error: unknown, requests: number): void;
    /** A job is left to another version. */
    parked?(): void;
    /** Called with the time that a job waited for the fence. */
    fenced?(ms: number): void;
    /** Called with the number of requests that wait for earlier ones. */
    postponed?(requests: number): void;
    error?(error: unknown): void;
  };
}

const answer = (redis: Redis, requests: AcceptedRequest[], replies: (Reply | Postponed)[]): Promise<void> =>
  sendReplies(
    redis,
    requests.flatMap((request, index) => {
      const reply = replies[index];
      return request.reply && reply && reply !== postponed
        ? [{ mailbox: request.reply, id: request.id, reply }]
        : [];
    }),
  );

/** Puts a job back at the front of its queue. It never goes to BullMQ's `failed` set, which no service reads. */
const giveBack = async (job: Job, token: string | undefined, pauseMs: number): Promise<never> => {
  await sleep(pauseMs);
  await job.moveToWait(token);
  throw new WaitingError();
};

type WorkerSettings = Required<Pick<BatchWorkerOptions, 'concurrency' | 'lockMs' | 'on'>> & {
  connection: Redis;
};

class GroupWorker extends Worker<Group> {
  /** Where a parked job is due later, BullMQ would block for longer than the connection takes for silence. */
  override get maximumBlockTimeout(): number {
    return blockSeconds;
  }
}

const openWorker = (
  queue: QueueName,
  process: (job: Job<Group>, token?: string) => Promise<void>,
  { connection, concurrency, lockMs, on }: WorkerSettings,
): Worker<Group> => {
  const worker = new GroupWorker(queue.name, process, {
    connection,
    prefix: queue.prefix,
    concurrency,
    lockDuration: lockMs,
    stalledInterval: lockMs / 4,
    // A stall alone is no evidence: see evidence.ts.
    maxStalledCount: 1_000_000,
    drainDelay: blockSeconds,
    metrics: { maxDataPoints: 60 },
  });
  worker.on('error', (error) => on.error?.(error));
  return worker;
};

interface Opened {
  connection: Redis;
  worker: Worker<Group>;
}

/** One for each queue, also for those that come later. */
const openWorkers = (queues: Queues, open: (queue: QueueName) => Opened) => {
  const opened = new Map<string, Opened>();
  const openMissing = (): void => {
    for (const queue of knownOf(queues)) if (!opened.has(queue.name)) opened.set(queue.name, open(queue));
  };
  openMissing();
  const unfollow = followMore(queues, openMissing);
  const all = (): Opened[] => [...opened.values()];
  return {
    connections: (): Redis[] => all().map(({ connection }) => connection),
    async close(): Promise<void> {
      unfollow();
      await Promise.all(all().map(({ worker }) => worker.close()));
    },
  };
};

type Settled = (requests: AcceptedRequest[]) => Promise<(Reply | Postponed)[]>;

interface Finishing {
  redis: Redis;
  options: BatchWorkerOptions;
  /** The ids of requests that may not be postponed again. */
  waitedEnough: Set<string>;
  postpone(waiting: InHand[]): Promise<void>;
}

/** Settles the leased requests, sends the replies, and postpones requests that must wait. */
const createFinish =
  ({ redis, options, waitedEnough, postpone }: Finishing) =>
  async (items: readonly InHand[], settled: Settled): Promise<AcceptedRequest[]> => {
    const requests = items.map(({ packed }) => unpack(packed));
    const last = requests
      .filter((_, index) => (items[index]?.tries ?? 0) >= (options.mostTries ?? mostTries))
      .map(({ id }) => id);
    for (const id of last) waitedEnough.add(id);
    const replies = await settled(requests);
    for (const id of last) waitedEnough.delete(id);
    await answer(redis, requests, replies);
    const waiting = items
      .filter((_, index) => replies[index] === postponed)
      .map((item) => ({ ...item, tries: item.tries + 1 }));
    if (waiting.length > 0) {
      await postpone(waiting);
      options.on?.postponed?.(waiting.length);
    }
    return requests;
  };

interface Processing
  extends Pick<ReturnType<typeof createOwnJobs>, 'hold' | 'letGo'>,
    Pick<ReturnType<typeof createParting>, 'isForeign'> {
  stopping(): boolean;
  /** Leaves requests of another version to the processes of that version. */
  parkForeign(leased: LeasedJob): Promise<LeasedJob>;
  submitGroup(leased: LeasedJob): Promise<void>;
  kept: ReturnType<typeof createKept>;
  on: Pick<NonNullable<BatchWorkerOptions['on']>, 'error' | 'parked'>;
}

/** The processor that BullMQ calls with each job. */
const createProcess =
  ({ stopping, isForeign, parkForeign, submitGroup, kept, hold, letGo, on }: Processing) =>
  (queue: QueueName, redis: Redis) =>
  async (job: Job<Group>, token?: string): Promise<void> => {
    if (stopping()) return giveBack(job, token, 0);
    if (isForeign(job.data)) {
      on.parked?.();
      return park(job, token);
    }
    if (job.data.tries) await sleep(pauseMs(job.data.tries));
    hold(job.data);
    try {
      await kept(redis, queue, job);
      const { stalledCounter: stalls } = job;
      await submitGroup(await parkForeign({ queue, group: job.data, stalls, heavy: queue.heavy ?? false }));
    } catch (error) {
      if (error instanceof WaitingError) throw error;
      const released = error instanceof Released;
      if (!released) on.error?.(error);
      await giveBack(job, token, released ? 0 : 1000);
    } finally {
      letGo(job.data);
    }
  };

interface Turning extends Pick<BatchWorkerOptions, 'on'> {
  finish: ReturnType<typeof createFinish>;
  settle: Settled;
  recover(queue: QueueName, requests: AcceptedRequest[]): ReturnType<Settled>;
}

/** The work of a turn, and of a piece with contested people. */
const createTurn = ({ finish, settle, recover, on = {} }: Turning) => ({
  async turn(jobs: LeasedJob[]): Promise<void> {
    const started = performance.now();
    const [first] = jobs;
    const hasStalled = first !== undefined && first.stalls > 0;
    const requests = await finish(jobs.flatMap(inHand), (all) =>
      hasStalled ? recover(first.queue, all) : settle(all),
    );
    const entries = sum(jobs, ({ group }) => group.entries);
    on.turn?.(jobs.length, requests.length, entries, performance.now() - started);
  },

  async settleContested(piece: InHand[]): Promise<void> {
    const started = performance.now();
    await finish(piece, settle);
    on.turn?.(0, piece.length, sizeOf(piece).entries, performance.now() - started);
  },
});

/** BullMQ on one side, turns of whole batches on the other; no handler sees a BullMQ type. */
export const createBatchWorker = (options: BatchWorkerOptions) => {
  const { url, queues, limits, concurrency = 4, turnsAtOnce = 1, lockMs = 4_000, on = {} } = options;
  const redis: Redis = openConnection('patient', url);
  redis.on('error', (error) => on.error?.(error));
  let isStopping = false;
  const stopping = (): boolean => isStopping;

  const waitedEnough = new Set<string>();
  const { hold, letGo, ownIn } = createOwnJobs();
  const { postpone, add, close: closePostponer } = createPostponer(redis);

  const settle = createSettle<Reply | Postponed>({
    apply: (requests) => options.apply(requests, waitedEnough, ownIn(requests)),
    classify: options.classify,
    ...(options.isWell && { isWell: options.isWell }),
    dead: options.dead,
    stopping,
    onRetry: (error, requests) => on.retry?.(error, requests),
  });

  const watch = options.watch ?? openWatch({ url, onError: (error) => on.error?.(error) });
  const recover = createRecovery<Reply | Postponed>({
    redis,
    watch,
    settle,
    dead: options.dead,
    computing: options.computing,
  });

  const finish = createFinish({ redis, options, waitedEnough, postpone });

  const { turn, settleContested } = createTurn({ finish, settle, recover, on });
  const submit = createTurns<LeasedJob>(limits, turn, turnsAtOnce);
  const { isContested } = options;
  const submitPassed = createSubmitGroup({ isContested, limits, submit, settleContested });
  const submitGroup = behindFence(submitPassed, { fence: options.fence, on, stopping, postpone });

  const { isForeign, divided } = createParting(options.isKnown);
  const parkForeign = async (leased: LeasedJob): Promise<LeasedJob> => {
    const { group, foreign } = divided(leased);
    if (foreign.length > 0) await add(foreign, parkedAtFirst);
    return { ...leased, group };
  };

  const kept = createKept({ replicas: options.waitReplicas ?? 0, stopping });
  const process = createProcess({ stopping, isForeign, parkForeign, submitGroup, kept, hold, letGo, on });
  const workers = openWorkers(queues, (queue) => {
    const connection = openConnection('patient', url);
    const settings = { connection, concurrency, lockMs, on };
    return { connection, worker: openWorker(queue, process(queue, connection), settings) };
  });

  return {
    /** Whether Redis answers on every connection of the worker. */
    answers: (): Promise<boolean> => answers(redis, ...workers.connections()),
    async close(): Promise<void> {
      isStopping = true;
      await workers.close();
      await closePostponer();
      await watch.close();
      for (const connection of [...workers.connections(), redis]) connection.disconnect();
    },
  };
};

export type BatchWorker = ReturnType<typeof createBatchWorker>;
