import { startIdentity, withoutTransaction } from '@roster/identity-service';
import { run } from '@roster/runtime';

export type Replacements = NonNullable<Parameters<typeof startIdentity>[1]>;

/** The identity service with a part exchanged. */
export const identity = (replacements: Replacements): Promise<void> =>
  run('identity', (context) => startIdentity(context, replacements));

const strokeMs = 40;

/**
 * Read, then write, with nothing around it; and all workers begin at the same stroke of the clock, so that what can come in between
 * does, on a machine that is too slow for it to happen often enough by itself.
 */
export const withoutTransactionAtOnce: typeof withoutTransaction = async (work) => {
  await new Promise((resolve) => setTimeout(resolve, strokeMs - (Date.now() % strokeMs)));
  return withoutTransaction(work);
};
