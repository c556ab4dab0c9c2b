/** Of the people whom an email or phone may mean, the one who is meant. */

import type { Holder } from '../find/holders.ts';
import { knownOrNeeded } from '../find/known.ts';
import { foremost, rankCandidates } from '../find/rank-candidates.ts';
import type { Drafts } from '../fold/drafts.ts';
import type { Stamp } from '../profile.ts';
import type { Needs, PlanKnown } from './known.ts';

/** Of more people, only those with the latest changes are compared: each of them takes a look at their activity. */
const mostContenders = 1000;

/** People with an external id come first; of them, those with the latest changes. */
const contendersOf = (people: readonly Holder[]): readonly Holder[] => {
  const identified = people.filter(({ external_id }) => external_id !== undefined);
  const peers = identified.length > 0 ? identified : people;
  return peers.length > mostContenders ? rankCandidates(peers).slice(0, mostContenders) : peers;
};

export const createPreferred = (known: PlanKnown, needs: Needs, drafts: Drafts) => {
  const touched = new Map<string, Stamp>();
  const activityOf = (id: string): Stamp => {
    const stored = drafts.isNew(id) ? 0 : (knownOrNeeded(known.activity, needs.activity, id) ?? 0);
    return Math.max(stored, touched.get(id) ?? 0);
  };

  return {
    /** Needs the activity of people only when it decides between several. */
    first(people: readonly Holder[]): string | undefined {
      const contenders = people.length < 2 ? people : contendersOf(people);
      if (contenders.length < 2) return contenders[0]?._id;
      return foremost(
        contenders.map(({ _id, updated_at }) => ({ _id, updated_at, active_at: activityOf(_id) })),
      )?._id;
    },

    /** An event or purchase of the person: it counts when people who share a contact are ranked. */
    touch(id: string, at: Stamp): void {
      touched.set(id, Math.max(touched.get(id) ?? 0, at));
    },
  };
};
