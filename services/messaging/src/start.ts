/** Wires the messaging service: a queue of its own, each request answered to the ingress that asked. */
import { operationById } from '@roster/contract';
import { openLiquid } from '@roster/liquid';
import { createBatchWorker, queuesOf } from '@roster/queue';
import { type Config, type Context, type Running, readyWhen } from '@roster/runtime';
import { classify, openStore } from '@roster/store';
import { createAnswer } from './answer.ts';
import { failed } from './once.ts';

const limits = { requests: 20, entries: 100, bytes: 4_000_000 };

/** A slow one does not hold up those of other workspaces. */
const turnsAtOnce = 4;

/** What fault tests exchange. */
export interface Replacements {
  batchWorker?: typeof createBatchWorker;
}

export const startMessaging = async (
  { config, log, metrics }: Context<Config<'messaging'>>,
  { batchWorker = createBatchWorker }: Replacements = {},
): Promise<Running> => {
  const store = await openStore({
    url: config.MONGO_URL,
    appName: 'roster-messaging',
    secret: config.ROSTER_SECRET,
    ensureIndexes: true,
    onWaiting: (err) => log.warn({ err }, 'MongoDB is not there yet'),
  });
  const turns = metrics.histogram({
    name: 'roster_messaging_turn_seconds',
    help: 'Time to answer one batch of requests about messages and pages.',
  });
  const liquid = openLiquid();
  const worker = batchWorker({
    url: config.REDIS_URL,
    queues: queuesOf('messaging', 1),
    limits,
    concurrency: 16,
    turnsAtOnce,
    classify,
    isWell: store.isWell,
    apply: createAnswer({ store, liquid }),
    async dead(request, { code, reason }) {
      const { id, op, ws } = request;
      log.error({ request: id, op, ws, code }, 'a request about messages or pages failed');
      if (operationById(op)?.kind === 'write') await store.outcomes.fail(request, reason);
      return failed;
    },
    on: {
      turn: (_jobs, _requests, _entries, ms) => turns.with().observe(ms / 1000),
      retry: (err, requests) => log.warn({ err, requests }, 'a batch of requests is tried again'),
      error: (err) => log.error({ err }, 'the queue could not be served'),
    },
  });
  return {
    ready: readyWhen({ Redis: worker.answers, MongoDB: store.ping }),
    async stop() {
      await worker.close();
      await liquid.close();
      await store.close();
    },
  };
};
