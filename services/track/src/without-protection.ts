/**
 * Negative controls for the fault tests: apply without one of its protections. A test that passes with these proves nothing.
 * Nothing else may use them.
 */
import { randomBytes } from 'node:crypto';
import { type Change, type Fold, type Profile, fold as properFold } from '@roster/profile';
import type { OldestBeside } from '@roster/queue';
import type { Store } from '@roster/store';
import { prepared } from './batch.ts';
import type { Marks } from './marks.ts';

/** Nothing was ever applied before; events get ids of their own each time, so that doubling shows. */
export const forgetfulMarks = ({ requests }: Pick<Store, 'requests'>): Marks => ({
  find: async () => ({ applied: new Map(), failed: new Set() }),
  async write(session, marks) {
    const writes = marks.map((mark) => ({
      replaceOne: { filter: { _id: mark._id }, replacement: mark, upsert: true },
    }));
    if (writes.length > 0) await requests.bulkWrite(writes, { session });
  },
  rowId: (requestId) => `${requestId}~${randomBytes(6).toString('hex')}`,
});

/** The last to be written wins, whenever it was accepted. */
export const lastWrittenWins: Fold = (
  profile: Profile,
  changes: readonly Change[],
  at: number,
  n: number,
) => {
  const newest = Math.max(profile.updated_at, at) + 1;
  return properFold(profile, changes, newest, n);
};

/** Counts from some moment of the last seconds before it is applied: the order of record is lost. */
export const preparedUnstamped: typeof prepared = (request) =>
  prepared({ ...request, at: (Date.now() - Math.floor(Math.random() * 5_000)) * 1000 });

/** Nothing that was accepted before is ever unfinished: nobody waits for it. */
export const nobodyWaits: OldestBeside = async () => () => Number.POSITIVE_INFINITY;

/** A transaction loads whatever it is asked to. */
export { noLoadLimits } from '@roster/store';
/** No deletion is ever unfinished: nothing waits for it. */
export { nonePending as noDeletionPending } from './deletions.ts';
