/** Activity of people, with the merges of the batch. */

import { knownOrNeeded } from '../find/known.ts';
import type { Drafts } from '../fold/drafts.ts';
import type { Stamp } from '../profile.ts';
import type { IdentityKnown, IdentityNeeds } from './known.ts';

export const createActivity = (known: IdentityKnown, needs: IdentityNeeds, drafts: Drafts) => {
  const parts = new Map<string, string[]>();

  return {
    /** The last event or purchase of a person, with those of the profiles that were merged into theirs. */
    activityOf(id: string): Stamp {
      const all = [id, ...(parts.get(id) ?? [])].filter((part) => !drafts.isNew(part));
      return Math.max(0, ...all.map((part) => knownOrNeeded(known.activity, needs.activity, part) ?? 0));
    },

    /** The activity of the one counts as activity of the other. */
    joinActivity(away: string, into: string): void {
      parts.set(into, [...(parts.get(into) ?? []), away, ...(parts.get(away) ?? [])]);
    },
  };
};

export type Activity = ReturnType<typeof createActivity>;
