/** The life of a worker: batches from its queue, one transaction for each, and a reply to who waits for one. */
import { type AcceptedRequest, isKnown, type QueueFamily } from '@roster/contract';
import {
  type BatchWorkerOptions,
  createBatchWorker,
  createComputing,
  createDeadLetterWriter,
  type Gate,
  growingTrack,
  type OwnJobs,
  postponed,
  queuesOf,
  reportProcess,
} from '@roster/queue';
import { maskText, measureFence, measureTurns, type Running, readyWhen } from '@roster/runtime';
import { classify, type LoadLimits } from '@roster/store';
import type { BatchApplyOptions } from './apply.ts';
import { type BatchContext, type BatchParts, openParts } from './parts.ts';
import { createReplies, type ResultOf } from './replies.ts';
import type { Applied } from './work.ts';

/** The parts of a running worker that differ between services. */
export interface Own {
  /** One result for each request, in their order; undefined for a postponed request. */
  apply(
    requests: readonly AcceptedRequest[],
    waitedEnough: ReadonlySet<string>,
    jobs: OwnJobs,
  ): Promise<readonly (Applied | undefined)[]>;
  resultOf: ResultOf;
  /** Holds requests back until what was accepted before them is finished. */
  fence?: Gate;
  isContested?: BatchWorkerOptions['isContested'];
  /** After the transaction and before the replies. When it fails, the batch comes again. */
  applied?(requests: readonly AcceptedRequest[]): Promise<void>;
  /** The request has become a dead letter. */
  failed?(request: AcceptedRequest): Promise<void>;
  /** So many entries were applied or became dead letters. */
  onTurn?(entries: number): void;
  /** Background work, closed with the worker: a sweep, a schedule. */
  beside?: readonly { close(): Promise<void> }[];
}

/** The usual options of `createApply`. */
type Road = Pick<BatchApplyOptions, 'store' | 'inPieces' | 'computing'> &
  Required<Pick<BatchApplyOptions, 'onConflict'>>;

export interface BatchService<Replacements> {
  /** The name of its queue, its metrics and its connections. */
  name: QueueFamily;
  limits: BatchWorkerOptions['limits'];
  own(parts: BatchParts, road: Road, context: BatchContext, replacements: Replacements): Own | Promise<Own>;
}

/** Parts that fault tests replace. */
export interface BatchReplacements {
  batchWorker?: typeof createBatchWorker;
  loadLimits?: LoadLimits;
  /** Shorter locks, for tests that don't want to wait until those of a dead worker have run out. */
  lockMs?: number;
  /** More patience, for tests on a machine that is too slow for the usual half minute. */
  mostTries?: number;
}

/** One waits for the fence or is prepared while MongoDB works on the other. */
const turnsAtOnce = 2;

const handlersOf = (name: QueueFamily, own: Own, { letters, store }: BatchParts, { log }: BatchContext) => {
  const writeDeadLetter = createDeadLetterWriter({
    letters,
    queue: name,
    mask: maskText,
    fail: store.outcomes.fail,
    log,
  });
  const replies = createReplies(own.resultOf);
  const handlers: Pick<BatchWorkerOptions, 'apply' | 'dead'> = {
    async dead(request, cause) {
      const reason = await writeDeadLetter(request, cause);
      await own.failed?.(request);
      return replies.failed(request, reason);
    },
    async apply(requests, waitedEnough, jobs) {
      const outcomes = await own.apply(requests, waitedEnough, jobs);
      if (own.applied) await own.applied(requests.filter((_, index) => outcomes[index]));
      return Promise.all(
        requests.map((request, index) => {
          const outcome = outcomes[index];
          return outcome ? replies.applied(request, outcome) : postponed;
        }),
      );
    },
  };
  return handlers;
};

export const startBatchService = async <Replacements extends BatchReplacements>(
  { name, limits, own: createOwn }: BatchService<Replacements>,
  context: BatchContext,
  replacements: Replacements,
): Promise<Running> => {
  const { batchWorker = createBatchWorker, loadLimits, lockMs, mostTries } = replacements;
  const parts = await openParts(name, context, loadLimits);
  const { store, inPieces } = parts;
  const { conflict, ...turns } = measureTurns(context, name);
  const computing = createComputing();
  const road = { store, inPieces, computing, onConflict: conflict };
  const own = await createOwn(parts, road, context, replacements);
  const { fence, isContested, beside = [] } = own;
  const worker = batchWorker({
    url: context.config.REDIS_URL,
    waitReplicas: context.config.REDIS_WAIT_REPLICAS,
    queues: name === 'track' ? growingTrack(parts.partitions) : queuesOf(name, 1),
    limits,
    turnsAtOnce,
    ...(lockMs && { lockMs }),
    ...(mostTries && { mostTries }),
    isKnown,
    classify,
    isWell: store.isWell,
    computing,
    ...(fence && { fence }),
    ...(isContested && { isContested }),
    on: {
      ...turns,
      turn(jobs, requests, entries, ms) {
        own.onTurn?.(entries);
        turns.turn(jobs, requests, entries, ms);
      },
      ...(fence && { fenced: measureFence(context, name) }),
    },
    ...handlersOf(name, own, parts, context),
  });
  const report = reportProcess(context.config.REDIS_URL, context.processor);
  return {
    ready: readyWhen({ Redis: worker.answers, MongoDB: store.ping }),
    async stop() {
      await Promise.all([worker.close(), ...beside.map((one) => one.close())]);
      report.close();
      await parts.close();
    },
  };
};
