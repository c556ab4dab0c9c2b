import { createMarks } from '@roster/track-service';
import { permanentError } from './folds.ts';
import type { Replacements } from './track.ts';

type Marks = NonNullable<Replacements['marks']>;

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
