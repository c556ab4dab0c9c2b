/** Refuses a plan with results that depend on unfinished requests. */
import type { Deletions, Result } from '@roster/profile';
import { dependingOf, isLookedUp } from './depending.ts';
import type { SettingsByWorkspace } from './planner.ts';
import { type Early, Premature } from './premature.ts';
import type { Waiters } from './waiters.ts';

/** Loaded before the transaction of a batch. */
export interface Before {
  settings: SettingsByWorkspace;
  deletions: Deletions;
  waiters: Pick<Waiters, 'waitedEnough' | 'due' | 'lookedUp'>;
}

/** Throws when a result depends on unfinished requests and its request is not due. */
export const assertTimely = (
  results: readonly Result[],
  { waitedEnough, due, lookedUp }: Before['waiters'],
): void => {
  const early: Early = {
    creating: results
      .filter(({ premature, origin }) => premature && !due.has(origin.id))
      .map(({ origin }) => origin),
    depending: results
      .filter(
        ({ among, unknown, origin: { id } }) => (among && !waitedEnough.has(id)) || (unknown && !due.has(id)),
      )
      .map(dependingOf)
      .filter((one) => !isLookedUp(one, lookedUp)),
    waiting: results.filter(({ waits }) => waits).map(({ origin }) => origin.id),
  };
  if (Object.values(early).some(({ length }) => length > 0)) throw new Premature(early);
};
