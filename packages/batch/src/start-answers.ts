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
import { classify, type Store } from '@roster/store';
import { isKnown } from './is-known.ts';

interface AnswersConfig {
  REDIS_URL: string;
  /** A service that only reads has none: a read has no effect that a failover could forget. */
  REDIS_WAIT_REPLICAS?: number;
}

export interface AnswersOptions
  extends Pick<BatchWorkerOptions, 'limits' | 'concurrency' | 'turnsAtOnce' | 'apply'> {
  /** Of its queue and its metrics. */
  name: QueueFamily;
  /** Its requests, in words. */
  what: string;
  store: Pick<Store, 'isWell'>;
  /** The reply to a request that failed for good. */
  failed(request: AcceptedRequest, reason: string): Reply | Promise<Reply>;
}

/** Parts that fault tests replace. */
export interface AnswersReplacements {
  batchWorker?: typeof createBatchWorker;
}

export const startAnswers = (
  context: Pick<Context<AnswersConfig>, 'config' | 'log' | 'metrics' | 'tracing'>,
  { name, what, store, failed, ...options }: AnswersOptions,
  { batchWorker = createBatchWorker }: AnswersReplacements,
): BatchWorker => {
  const { failed: countFailed, ...on } = measureAnswers(context, name, what);
  return batchWorker({
    ...options,
    url: context.config.REDIS_URL,
    queues: queuesOf(name, 1),
    waitReplicas: context.config.REDIS_WAIT_REPLICAS ?? 0,
    classify,
    knows: isKnown,
    isWell: store.isWell,
    async dead(request, { code, reason }) {
      const { id, op, ws } = request;
      context.log.error({ request: id, op, ws, code }, `one of the ${what} failed`);
      countFailed(request);
      return failed(request, reason);
    },
    on,
    ...(context.tracing && { trace: context.tracing.turn }),
  });
};
