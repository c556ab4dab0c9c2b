/** The worker of a service that answers: one queue, a reply to each caller, and an error for a request that fails for good. */
import type { AcceptedRequest, QueueFamily } from '@roster/contract';
import {
  type BatchWorker,
  type BatchWorkerOptions,
  createBatchWorker,
  queuesOf,
  type Reply,
} from '@roster/queue';
import { type Context, measureAnswers } from '@roster/runtime';
import { classify, openStore, type Store } from '@roster/store';

type StoreContext = Context<{ MONGO_URL: string; ROSTER_SECRET?: string }>;

export const openServiceStore = (
  name: QueueFamily | 'pages' | 'sender',
  { config, log }: Pick<StoreContext, 'config' | 'log'>,
  { ensureIndexes = true }: { ensureIndexes?: boolean } = {},
): Promise<Store> =>
  openStore({
    url: config.MONGO_URL,
    appName: `roster-${name}`,
    ...(config.ROSTER_SECRET !== undefined && { secret: config.ROSTER_SECRET }),
    ensureIndexes,
    onWaiting: (err) => log.warn({ err }, 'MongoDB is not there yet'),
  });

export interface AnswersOptions
  extends Pick<BatchWorkerOptions, 'limits' | 'concurrency' | 'turnsAtOnce' | 'apply' | 'isWell'> {
  /** Of its queue and its metrics. */
  name: QueueFamily;
  /** Its requests, in words. */
  what: string;
  /** The reply to a request that failed for good. */
  failed(request: AcceptedRequest, reason: string): Reply | Promise<Reply>;
}

/** Parts that fault tests replace. */
export interface AnswersReplacements {
  batchWorker?: typeof createBatchWorker;
}

export const startAnswers = (
  context: Pick<Context<{ REDIS_URL: string }>, 'config' | 'log' | 'metrics'>,
  { name, what, failed, ...options }: AnswersOptions,
  { batchWorker = createBatchWorker }: AnswersReplacements,
): BatchWorker =>
  batchWorker({
    ...options,
    url: context.config.REDIS_URL,
    queues: queuesOf(name, 1),
    classify,
    async dead(request, { code, reason }) {
      const { id, op, ws } = request;
      context.log.error({ request: id, op, ws, code }, `one of the ${what} failed for good`);
      return failed(request, reason);
    },
    on: measureAnswers(context, name, what),
  });
