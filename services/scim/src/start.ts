/** Wires the SCIM service: a queue of its own, each request answered to the ingress that asked. */
import { createBatchWorker, queuesOf } from '@roster/queue';
import type { Config, Context, Running } from '@roster/runtime';
import { classify, openStore } from '@roster/store';
import { createAnswer, failed } from './answer.ts';

const limits = { requests: 20, entries: 100, bytes: 4_000_000 };

export const startScim = async ({ config, log, metrics }: Context<Config<'scim'>>): Promise<Running> => {
  const store = await openStore({
    url: config.MONGO_URL,
    appName: 'roster-scim',
    ensureIndexes: true,
    onWaiting: (err) => log.warn({ err }, 'MongoDB is not there yet'),
  });
  const answer = createAnswer({
    store,
    publicUrl: config.PUBLIC_URL,
    callerWaitsMs: config.RESULT_TIMEOUT_SECONDS * 1000,
  });
  const turns = metrics.histogram({
    name: 'roster_scim_turn_seconds',
    help: 'Time to answer one batch of SCIM requests.',
  });
  const worker = createBatchWorker({
    url: config.REDIS_URL,
    queues: queuesOf('scim', 1),
    limits,
    concurrency: 16,
    classify,
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
    ready: async () => (await store.ping()) || 'MongoDB is away',
    async stop() {
      await worker.close();
      await store.close();
    },
  };
};
