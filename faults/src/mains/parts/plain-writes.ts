import { forgetfulMarks } from '@roster/track-service';
import type { Replacements } from './track.ts';

type Marks = NonNullable<Replacements['marks']>;
type Store = Parameters<Marks>[0];

/** Read, change, write back, as one does without thinking of others: no transaction, and no mark that a second try would find. */
export const plainWrites: Marks = (store) => {
  const transact = (work: (session: unknown, attempt: number) => Promise<unknown>) => work(undefined, 0);
  Object.assign(store, { transact: transact as Store['transact'] });
  return forgetfulMarks(store);
};
