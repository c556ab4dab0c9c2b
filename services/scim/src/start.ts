/** Wires the SCIM service: a queue of its own, each request answered to the ingress that asked. */
import { createBatchWorker, queuesOf } from '@roster/queue';
import { type Config, type Context, createSecurityLog, type Running, readyWhen } from '@roster/runtime';
import { classify, openStore } from '@roster/store';
import { createAnswer, failed } from './answer.ts';
import type { Limits } from './limits.ts';

const batch = { requests: 20, entries: 100, bytes: 4_000_000 };

/** Who comes while others are at work does not wait until they are finished. */
const turnsAtOnce = 8;

/** What fault tests exchange. */
export interface Replacements {
  batchWorker?: typeof createBatchWorker;
  limits?: Limits;
}

export const startScim = async (
  { config, log, metrics }: Context<Config<'scim'>>,
  { limits, batchWorker = createBatchWorker }: Replacements = {},
): Promise<Running> => {
  const store = await openStore({
    url: config.MONGO_URL,
    appName: 'roster-scim',
    ensureIndexes: true,
    onWaiting: (err) => log.warn({ err }, 'MongoDB is not there yet'),
  });
  // The audit log has a row of each change already, written together with it.
  const security = createSecurityLog({ log });
  const tools = {
    store,
    publicUrl: config.PUBLIC_URL,
    callerWaitsMs: config.RESULT_TIMEOUT_SECONDS * 1000,
    note: security.note,
  };
  const answer = createAnswer(tools, limits && { limits });
  const turns = metrics.histogram({
    name: 'roster_scim_turn_seconds',
    help: 'Time to answer one batch of SCIM requests.',
  });
  const worker = batchWorker({
    url: config.REDIS_URL,
    queues: queuesOf('scim', 1),
    limits: batch,
    concurrency: 16,
    turnsAtOnce,
    classify,
    isWell: store.isWell,
    apply: answer,
    async dead({ id, op, ws }, { code }) {
      log.error({ request: id, op, ws, code }, 'a SCIM request failed');
      return failed;
    },
    on: {
      turn: (_jobs, _requests, _entries, ms) => turns.with().observe(ms / 1000),
      retry: (err, requests) => log.warn({ err, requests }, 'a batch of SCIM requests is tried again'),
      error: (err) => log.error({ err }, 'the queue could not be served'),
    },
  });
  return {
    ready: readyWhen({ Redis: worker.answers, MongoDB: store.ping }),
    async stop() {
      await worker.close();
      await security.close();
      await store.close();
    },
  };
};
