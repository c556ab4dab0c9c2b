/** Wires the SCIM service: a queue of its own, each request answered to the ingress that asked. */
import { type AnswersReplacements, failedReply, openServiceStore, startAnswers } from '@roster/batch';
import { type Config, type Context, createSecurityLog } from '@roster/runtime';
import { createAnswer } from './answer.ts';

const batch = { requests: 20, entries: 100, bytes: 4_000_000 };

/** Who comes while others are at work does not wait until they are finished. */
const turnsAtOnce = 8;

export const startScim = async (context: Context<Config<'scim'>>, replacements: AnswersReplacements = {}) => {
  const { config, log } = context;
  const store = await openServiceStore('scim', context);
  // The audit log has a row of each change already, written together with it.
  const security = createSecurityLog({ log });
  const tools = {
    store,
    publicUrl: config.PUBLIC_URL,
    callerWaitsMs: config.RESULT_TIMEOUT_SECONDS * 1000,
    note: security.note,
  };
  return startAnswers(
    context,
    {
      name: 'scim',
      what: 'SCIM requests',
      store,
      limits: batch,
      concurrency: 16,
      turnsAtOnce,
      apply: createAnswer(tools),
      failed: failedReply,
      async close() {
        await security.close();
        await store.close();
      },
    },
    replacements,
  );
};
