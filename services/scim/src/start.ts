/** Wires the SCIM service: a queue of its own, each request answered to the ingress that asked. */
import { createBatchWorker, queuesOf } from '@roster/queue';
import {
  type Config,
  type Context,
  createSecurityLog,
  measureAnswers,
  type Running,
  readyWhen,
} from '@roster/runtime';
import { classify, openStore, type Store } from '@roster/store';
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

type ScimContext = Context<Config<'scim'>>;

const startWorker = (
  context: ScimContext,
  { isWell }: Store,
  apply: ReturnType<typeof createAnswer>,
  batchWorker: typeof createBatchWorker,
) =>
  batchWorker({
    url: context.config.REDIS_URL,
    queues: queuesOf('scim', 1),
    limits: batch,
    concurrency: 16,
    turnsAtOnce,
    classify,
    isWell,
    apply,
    async dead({ id, op, ws }, { code }) {
      context.log.error({ request: id, op, ws, code }, 'a SCIM request failed');
      return failed;
    },
    on: measureAnswers(context, 'scim', 'SCIM requests'),
  });

export const startScim = async (
  context: ScimContext,
  { limits, batchWorker = createBatchWorker }: Replacements = {},
): Promise<Running> => {
  const { config, log } = context;
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
  const worker = startWorker(context, store, answer, batchWorker);
  return {
    ready: readyWhen({ Redis: worker.answers, MongoDB: store.ping }),
    async stop() {
      await worker.close();
      await security.close();
      await store.close();
    },
  };
};
