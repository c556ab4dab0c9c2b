/** The life of a service that answers: one queue, a reply to each caller, and an error for a request that fails for good. */
import { type AcceptedRequest, isKnown, type QueueFamily } from '@roster/contract';
import {
  type BatchWorkerOptions,
  createBatchWorker,
  queuesOf,
  type Reply,
  reportProcess,
} from '@roster/queue';
import { type Context, measureAnswers, type Running, readyWhen } from '@roster/runtime';
import { classify, type Store } from '@roster/store';
import { failForGood } from './once.ts';

export interface AnswersOptions
  extends Pick<BatchWorkerOptions, 'limits' | 'concurrency' | 'turnsAtOnce' | 'apply'> {
  /** Of its queue and its metrics. */
  name: QueueFamily;
  /** Its requests, in words. */
  what: string;
  store: Store;
  /** The reply to a request that failed for good. Unless said otherwise, the outcome of a change is kept as well. */
  failed?(request: AcceptedRequest, reason: string): Reply | Promise<Reply>;
  /** After the worker. */
  close(): Promise<void>;
}

/** Parts that fault tests replace. */
export interface AnswersReplacements {
  batchWorker?: typeof createBatchWorker;
}

export const startAnswers = (
  context: Pick<
    Context<{ REDIS_URL: string; REDIS_WAIT_REPLICAS: number }>,
    'config' | 'log' | 'metrics' | 'processor'
  >,
  { name, what, store, failed = failForGood(store), close, ...options }: AnswersOptions,
  { batchWorker = createBatchWorker }: AnswersReplacements,
): Running => {
  const worker = batchWorker({
    ...options,
    url: context.config.REDIS_URL,
    waitReplicas: context.config.REDIS_WAIT_REPLICAS,
    queues: queuesOf(name, 1),
    isKnown,
    classify,
    isWell: store.isWell,
    async dead(request, { code, reason }) {
      const { id, op, ws } = request;
      context.log.error({ request: id, op, ws, code }, `a request failed for good (${what})`);
      return failed(request, reason);
    },
    on: measureAnswers(context, name, what),
  });
  const report = reportProcess(context.config.REDIS_URL, context.processor);
  return {
    ready: readyWhen({ Redis: worker.answers, MongoDB: store.ping }),
    async stop() {
      await worker.close();
      report.close();
      await close();
    },
  };
};
