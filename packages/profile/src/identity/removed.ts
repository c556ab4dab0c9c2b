/** Profiles that the batch removes, and where their identifiers lead. */

import { identityKey } from '../find/identifier.ts';
import type { Drafts } from '../fold/drafts.ts';
import type { Origin } from '../plan/item.ts';
import type { Profile, Stamp } from '../profile.ts';
import type { Tombstone } from './claims.ts';
import type { IdentityKnown } from './known.ts';

export const createRemoved = (known: IdentityKnown['merged'], drafts: Drafts) => {
  const mergedInto = new Map<string, string>();
  const identifiedAs = new Map<string, string>();
  /** Deleted people by service id: requests up to the stamp are too late; `of`: all their service ids. */
  const erased = new Map<string, { until: Stamp; of: string[] }>();

  const nextOf = (id: string): string | undefined => mergedInto.get(id) ?? identifiedAs.get(id);

  /** The end of a chain of merges. */
  const final = (id: string): string => {
    let last = id;
    for (let next = nextOf(id); next !== undefined; next = nextOf(next)) last = next;
    return last;
  };

  return {
    /** A merge: `into` has everything of the profile. An `identify` without one takes over a part of it. */
    remove({ _id }: Profile, into: string, merges: boolean): void {
      drafts.remove(_id);
      (merges ? mergedInto : identifiedAs).set(_id, into);
    },

    /** A deletion: requests up to this stamp are too late. */
    erase({ _id }: Profile, until: Stamp, of: string[]): void {
      drafts.remove(_id);
      erased.set(_id, { until, of });
    },

    /** Whether the profile was merged away, before or in this batch, and the kept profile still exists. */
    isMerged({ ws }: Origin, id: string): boolean {
      const kept = known.get(identityKey(ws, { by: 'service_id', id })) ?? mergedInto.get(id);
      return kept !== undefined && !drafts.isRemoved(final(kept));
    },

    /** The tombstone of a service id leads straight to the end of a chain that this batch made; that of another identifier to its last owner. */
    shortened(tombstone: Tombstone): Tombstone {
      const { to, ...rest } = tombstone;
      const end = to === undefined ? undefined : final(to);
      if (to === undefined || end === undefined) return rest;
      if (drafts.isRemoved(end)) return { ...rest, ...erased.get(end) };
      return { ...rest, to: rest.forGood ? end : to };
    },
  };
};

export type Removed = ReturnType<typeof createRemoved>;
