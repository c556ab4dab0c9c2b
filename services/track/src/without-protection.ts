/**
 * Negative controls for the fault tests: apply without one of its protections. A test that passes with these proves nothing.
 * Nothing else may use them.
 */
import { randomBytes } from 'node:crypto';
import { type Fold, fold as properFold } from '@roster/profile';
import type { Store } from '@roster/store';
import { prepared } from './operations.ts';
import type { Marks } from './work.ts';

/** No request was ever applied before; events get new ids each time, so that doubling shows. */
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

/** The last write wins, in any order of acceptance. */
export const lastWrittenWins: Fold = (profile, changes, at, n) =>
  properFold(profile, changes, Math.max(profile.updated_at, at) + 1, n);

/** Stamps each request anew, with a moment of the last seconds: the order of record is lost. */
export const preparedUnstamped: typeof prepared = (request) =>
  prepared({ ...request, at: (Date.now() - Math.floor(Math.random() * 5_000)) * 1000 });

/** A transaction loads without a bound. */
export { noLoadLimits } from '@roster/store';
export { nobodyWaits } from './apply.ts';
/** No deletion is ever unfinished, so no request waits for one. */
export { nonePending as noDeletionPending } from './deletions.ts';
