/** Of the people whom an email or phone may mean, the one who is meant. */

import type { Holder } from '../find/holders.ts';
import { knownOrNeeded } from '../find/known.ts';
import { prioritized } from '../find/prioritize.ts';
import type { Drafts } from '../fold/drafts.ts';
import type { Stamp } from '../profile.ts';
import type { Needs, PlanKnown } from './known.ts';

/** Of people who share a contact (api.md: /users/track rule 3). */
const preferences = ['identified', 'most_recently_updated'] as const;

/** Of more people, only those with the latest changes are compared: each of them takes a look at their activity. */
const contenders = 1000;

export const createPreferred = (known: PlanKnown, needs: Needs, drafts: Drafts) => {
  const touched = new Map<string, Stamp>();
  const activityOf = (id: string): Stamp => {
    const stored = drafts.isNew(id) ? 0 : (knownOrNeeded(known.activity, needs.activity, id) ?? 0);
    return Math.max(stored, touched.get(id) ?? 0);
  };

  return {
    /** Needs the activity of people only when it decides between several. */
    first: (people: readonly Holder[]): string | undefined =>
      prioritized(people, preferences, activityOf, { contenders })[0]?._id,

    /** An event or purchase of the person: it counts when people who share a contact are ranked. */
    touch(id: string, at: Stamp): void {
      touched.set(id, Math.max(touched.get(id) ?? 0, at));
    },
  };
};
