/** The last events and purchases of people, with those of the batch and its merges. */

import type { Drafts } from '../fold/drafts.ts';
import type { Stamp } from '../profile.ts';
import { type KnownPeople, knownOrNeeded } from './known.ts';

export const createActivity = (known: KnownPeople['activity'], needs: Set<string>, drafts: Drafts) => {
  const parts = new Map<string, string[]>();
  const touched = new Map<string, Stamp>();

  const lastOf = (id: string): Stamp =>
    Math.max(touched.get(id) ?? 0, drafts.isNew(id) ? 0 : (knownOrNeeded(known, needs, id) ?? 0));

  return {
    /** The last event or purchase of a person, with those of the profiles that were merged into theirs. */
    activityOf: (id: string): Stamp => Math.max(...[id, ...(parts.get(id) ?? [])].map(lastOf)),

    /** The activity of the one counts as activity of the other. */
    joinActivity(away: string, into: string): void {
      parts.set(into, [...(parts.get(into) ?? []), away, ...(parts.get(away) ?? [])]);
    },

    /** An event or purchase of the person: it counts when people who share a contact are ranked. */
    touch(id: string, at: Stamp): void {
      touched.set(id, Math.max(touched.get(id) ?? 0, at));
    },
  };
};

export type Activity = ReturnType<typeof createActivity>;
