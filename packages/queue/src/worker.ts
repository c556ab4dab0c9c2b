import type { AcceptedRequest } from '@roster/contract';
import { type Job, WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { openPatientConnection } from './connection.ts';
import { type Group, unpack } from './group.ts';
import { type QueueName, queueKey } from './names.ts';
import { type Reply, sendReplies } from './reply.ts';
import { type Cause, createSettle, type ErrorClass, Released } from './settle.ts';
import { createSuspects } from './suspects.ts';
import { type BatchLimits, createTurns, type Held } from './turns.ts';

export interface BatchWorkerOptions {
  url: string;
  queues: QueueName[];
  limits: BatchLimits;
  /** Jobs held for each queue: one at work, the others ready for the next turn. */
  concurrency?: number;
  /** Turns under way at the same time. The order does not depend on it: it is carried by the stamps. */
  turnsAtOnce?: number;
  lockMs?: number;
  /** Applies the requests of one turn, all or none, and says what each caller gets. */
  apply(requests: AcceptedRequest[]): Promise<Reply[]>;
  classify(error: unknown): ErrorClass;
  dead(request: AcceptedRequest, cause: Cause): Promise<Reply>;
  on?: {
    turn?(jobs: number, requests: number, entries: number, ms: number): void;
    retry?(error: unknown, requests: number): void;
    error?(error: unknown): void;
  };
}

export interface BatchWorker {
  close(): Promise<void>;
}

const currentVersion = 1;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface HeldJob extends Held {
  queue: QueueName;
}

/** BullMQ on one side, turns of whole batches on the other; no handler sees a BullMQ type. */
export const createBatchWorker = (options: BatchWorkerOptions): BatchWorker => {
  const { url, queues, limits, concurrency = 4, turnsAtOnce = 1, lockMs = 10_000, on = {} } = options;
  const redis: Redis = openPatientConnection(url);
  redis.on('error', (error) => on.error?.(error));
  let stopping = false;

  const settle = createSettle<Reply>({
    apply: options.apply,
    classify: options.classify,
    dead: options.dead,
    stopping: () => stopping,
    onRetry: (error, requests) => on.retry?.(error, requests),
  });

  /** For a job that stalled twice: one request at a time, each leaving a bread crumb while it runs. */
  const settleWarily = async (queue: QueueName, requests: AcceptedRequest[]): Promise<Reply[]> => {
    const suspects = createSuspects(redis, queueKey(queue, 'suspects'));
    const replies: Reply[] = [];
    for (const request of requests) {
      const convicted = await suspects.isConvicted(request.id);
      if (!convicted) await suspects.enter(request.id);
      const crash = { code: 'crash', reason: 'the worker process ended each time this request ran' };
      replies.push(convicted ? await options.dead(request, crash) : ((await settle([request]))[0] as Reply));
      await suspects.leave(request.id);
    }
    return replies;
  };

  const answer = (requests: AcceptedRequest[], replies: Reply[]): Promise<void> =>
    sendReplies(
      redis,
      requests.flatMap((request, index) => {
        const reply = replies[index];
        return request.reply && reply ? [{ address: request.reply, id: request.id, reply }] : [];
      }),
    );

  const turn = async (jobs: HeldJob[]): Promise<void> => {
    const started = performance.now();
    const requests = jobs.flatMap(({ group }) => group.requests.map(unpack));
    const [first] = jobs;
    const wary = first !== undefined && first.stalls > 1;
    const replies = wary ? await settleWarily(first.queue, requests) : await settle(requests);
    await answer(requests, replies);
    const entries = jobs.reduce((sum, { group }) => sum + group.entries, 0);
    on.turn?.(jobs.length, requests.length, entries, performance.now() - started);
  };

  const submit = createTurns<HeldJob>(limits, turn, turnsAtOnce);

  /** Back to the front of the queue, untouched; never to `failed`, where nobody would look for it. */
  const giveBack = async (job: Job, token: string | undefined, pauseMs: number): Promise<never> => {
    await sleep(pauseMs);
    await job.moveToWait(token);
    throw new WaitingError();
  };

  const process =
    (queue: QueueName) =>
    async (job: Job<Group>, token?: string): Promise<void> => {
      if (job.data.v !== currentVersion) return giveBack(job, token, 1000);
      if (stopping) return giveBack(job, token, 0);
      try {
        await submit({ queue, group: job.data, stalls: job.stalledCounter });
      } catch (error) {
        const released = error instanceof Released;
        if (!released) on.error?.(error);
        await giveBack(job, token, released ? 0 : 1000);
      }
    };

  const connections = queues.map(() => openPatientConnection(url));
  const workers = queues.map((queue, index) => {
    const connection = connections[index] as Redis;
    connection.on('error', () => {});
    const worker = new Worker<Group>(queue.name, process(queue), {
      connection,
      prefix: queue.prefix,
      concurrency,
      lockDuration: lockMs,
      stalledInterval: lockMs / 2,
      // Stalls never convict by themselves: see suspects.ts.
      maxStalledCount: 1_000_000,
      drainDelay: 5,
      metrics: { maxDataPoints: 60 },
    });
    worker.on('error', (error) => on.error?.(error));
    return worker;
  });

  return {
    async close() {
      stopping = true;
      await Promise.all(workers.map((worker) => worker.close()));
      for (const connection of [...connections, redis]) connection.disconnect();
    },
  };
};
