/**
 * Merges generations by moving their rows in the order of their keys. A step is one transaction, so a row is here or there; a merge can end anywhere, and
 * the next run continues it.
 */
import type { Db } from '../db.ts';
import type { Kind } from '../documents.ts';
import type { Transact } from '../transact.ts';
import { createList } from './merge-list.ts';
import { createMove } from './move-rows.ts';
import { inSteps, type MovingRun } from './moving.ts';
import { kinds } from './name.ts';
import { type Merge, mergesDue, mergeUnderWay } from './tiers.ts';

export interface MergeRun extends MovingRun {
  /** The rest after this much work: other users of MongoDB come first. The more merges wait, the shorter. */
  restMs?(workedMs: number, waiting: number): number;
  /** The current time, for tests. */
  now?: number;
}

/** Half of the time, and less when merges do not keep up. */
const usualRestMs = (workedMs: number, waiting: number): number => workedMs / (1 + waiting);

/** Before all keys. */
const beginning = Buffer.alloc(0);

export const createMerging = (db: Db, transact: Transact) => {
  const { all, begin, finish, dropMerged } = createList(db, transact);
  const move = createMove(db, transact);

  const carryOut = async (of: Kind, merge: Merge, waiting: number, run: MergeRun): Promise<number> => {
    const { restMs = usualRestMs, rowsInStep = 2000 } = run;
    const moved = await inSteps<Buffer>(of, (after = beginning) => move(merge, after, rowsInStep), {
      ...run,
      restMs: (workedMs) => restMs(workedMs, waiting),
    });
    await finish(merge);
    return moved;
  };

  /** Until nothing is due. */
  const runKind = async (of: Kind, run: MergeRun): Promise<number> => {
    await dropMerged(of, run.now);
    let moved = 0;
    for (;;) {
      const some = await all(of);
      const merge = mergeUnderWay(some);
      const [next, ...others] = mergesDue(some, run.now ?? Date.now());
      if (merge) moved += await carryOut(of, merge, next ? others.length + 1 : 0, run);
      else if (next) await begin(of, next, some.at(-1)?.n ?? 0);
      else return moved;
    }
  };

  return {
    /** Merges all that is due. Only one process at a time may do so. Returns the number of rows that were moved. */
    async run(run: MergeRun = {}): Promise<Record<Kind, number>> {
      const moved = { events: 0, purchases: 0 };
      for (const of of kinds) moved[of] = await runKind(of, run);
      return moved;
    },
  };
};
