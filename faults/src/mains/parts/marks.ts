// What remembers that a request was applied, with something wrong built in.
import { setTimeout as sleep } from 'node:timers/promises';
import { createMarks, forgetfulMarks, type startTrack } from '@roster/track-service';
import { permanentError } from './folds.ts';

type Marks = NonNullable<NonNullable<Parameters<typeof startTrack>[1]>['marks']>;
type Store = Parameters<Marks>[0];

/** Read, change, write back, as one does without thinking of others: no transaction, and no mark that a second try would find. */
export const plainWrites: Marks = (store) => {
  const transact = (work: (session: unknown, attempt: number) => Promise<unknown>) => work(undefined, 0);
  Object.assign(store, { transact: transact as Store['transact'] });
  return forgetfulMarks(store);
};

/** Nothing is tried again until then, so that each half of a batch fails with it. */
const sulksMs = 1_000;

/** Whatever goes wrong with MongoDB is taken for an error that never passes. */
export const resigned: Marks = (store) => {
  const { transact } = store;
  let until = 0;
  const once: typeof transact = async (work, options) => {
    if (performance.now() < until) throw permanentError();
    try {
      return await transact(work, options);
    } catch {
      until = performance.now() + sulksMs;
      throw permanentError();
    }
  };
  Object.assign(store, { transact: once });
  return createMarks(store);
};

/**
 * Takes so long for each request, inside the transaction, as a MongoDB would that can't do more. What the workers can take is known
 * then, on any machine, and the callers do not wait for the machine's CPU.
 */
export const slowMarks =
  (msForEach: number): Marks =>
  (store) => {
    const marks = createMarks(store);
    return {
      ...marks,
      async write(session, written, found) {
        await sleep(msForEach * written.length);
        await marks.write(session, written, found);
      },
    };
  };
