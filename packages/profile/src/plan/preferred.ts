/** Chooses one person among the people who share an email or phone. */
import { createActivityAt } from '../activity.ts';
import type { Drafts } from '../drafts.ts';
import type { Holder } from '../holder-keys.ts';
import type { Stamp } from '../profile.ts';
import { foremost, rankCandidates } from '../rank-candidates.ts';
import { updatedBefore } from '../updates.ts';
import type { Known, Needs } from './known.ts';

/** Of more people, only those with the latest changes are compared: each of them takes a look at their activity. */
const mostContenders = 1000;

/** People with an external id come first; of them, those with the latest changes. */
const contendersOf = (people: readonly Holder[]): readonly Holder[] => {
  const identified = people.filter(({ external_id }) => external_id !== undefined);
  const peers = identified.length > 0 ? identified : people;
  return peers.length > mostContenders ? rankCandidates(peers).slice(0, mostContenders) : peers;
};

export interface Sought {
  id: string;
  /** The people who share the contact: of them, the one who was changed last. */
  among?: readonly Holder[];
}

export const createPreferred = (known: Known, needs: Needs, drafts: Drafts) => {
  const touched = new Map<string, Stamp>();
  const activityAt = createActivityAt(known, needs);
  const activityOf = (id: string, at: Stamp): Stamp =>
    Math.max(drafts.isNew(id) ? 0 : activityAt(id, at), touched.get(id) ?? 0);

  return {
    /** At a stamp. Needs the activity of people only when it decides between several. */
    first(people: readonly Holder[], at: Stamp): Sought | undefined {
      const contenders = people.length < 2 ? people : contendersOf(people);
      const [only, ...others] = contenders;
      if (!only || others.length === 0) return only && { id: only._id };
      const ranked = contenders.map((one) => ({
        _id: one._id,
        updated_at: updatedBefore(one, at),
        active_at: activityOf(one._id, at),
      }));
      return { id: foremost(ranked)?._id ?? only._id, among: people };
    },

    /** An event or purchase of the person: it counts when people who share a contact are ranked. */
    touch(id: string, at: Stamp): void {
      touched.set(id, Math.max(touched.get(id) ?? 0, at));
    },
  };
};
