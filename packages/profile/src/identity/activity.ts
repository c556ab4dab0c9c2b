/** Activity of people, with the merges of the batch. */
import { createActivityAt } from '../activity.ts';
import type { Drafts } from '../drafts.ts';
import type { Stamp } from '../profile.ts';
import type { IdentityKnown, IdentityNeeds } from './known.ts';

export const createActivity = (known: IdentityKnown, needs: IdentityNeeds, drafts: Drafts) => {
  const parts = new Map<string, string[]>();
  const activityAt = createActivityAt(known, needs);

  return {
    /** The last event or purchase of a person up to a stamp, with those of the profiles that were merged into theirs. */
    activityOf(id: string, at: Stamp): Stamp {
      const all = [id, ...(parts.get(id) ?? [])].filter((part) => !drafts.isNew(part));
      return all.reduce((last, part) => Math.max(last, activityAt(part, at)), 0);
    },

    /** The activity of the one counts as activity of the other. */
    joinActivity(away: string, into: string): void {
      parts.set(into, [...(parts.get(into) ?? []), away, ...(parts.get(away) ?? [])]);
    },
  };
};

export type Activity = ReturnType<typeof createActivity>;
