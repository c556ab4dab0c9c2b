/** Changes the profiles of a batch. */

import { type Stated, withStatements } from '../consent/consent.ts';
import type { createMoving } from '../consent/consent-moves.ts';
import type { Drafts } from '../fold/drafts.ts';
import type { Fold, Folded, FoldRoom } from '../fold/fold.ts';
import { withOnly, withRest } from '../fold/places.ts';
import { mergeProfiles } from '../merge/merge-profiles.ts';
import { isAbout, keepOrigins, markOrigins } from '../merge/origins.ts';
import type { ReadTime } from '../merge/values.ts';
import { newProfile, type Profile } from '../profile.ts';
import type { ProfileChange } from '../reading/change.ts';
import type { Finding } from './finding.ts';
import type { AnyItem } from './item.ts';
import { withLateContacts } from './late-contacts.ts';
import type { PlanRooms } from './rooms.ts';

interface Changing {
  drafts: Drafts;
  reindex: Finding['reindex'];
  rooms: PlanRooms;
  settled: ReturnType<typeof createMoving>;
  fold: Fold;
  time: ReadTime;
}

/** Only attributes have names of their own; a merge reads everything else anyway. */
const namesIn = (changes: readonly ProfileChange[]): Set<string> =>
  new Set(
    changes.flatMap((change) => (change.kind === 'set' || change.kind === 'step' ? [change.name] : [])),
  );

/** A profile does not list its own id among the absorbed ones. */
const withoutItself = ({ absorbed = [], ...profile }: Profile): Profile => {
  const others = absorbed.filter((id) => id !== profile._id);
  return others.length > 0 ? { ...profile, absorbed: others } : profile;
};

/** Only a part of the profile is at hand, so its bytes cannot be counted anew. */
const roomForPart = ({ work, size }: FoldRoom): FoldRoom => ({
  ...(work && { work }),
  ...(size && { size: { ...size, isWhole: false, isEstimate: false } }),
});

export const createChanging = ({ drafts, reindex, rooms, settled, fold, time }: Changing) => {
  const save = (before: Profile, after: Profile): void => {
    reindex(before, after);
    drafts.put(after);
  };

  return {
    change(before: Profile, changes: readonly ProfileChange[], item: AnyItem): Folded {
      const folded = fold(before, changes, item.origin.at, item.position, rooms.of(before, item));
      if (folded.isFull) return folded;
      if (folded.size) rooms.resize(before._id, folded.size);
      const after = settled(before, folded.profile, item.origin);
      save(before, after);
      return { profile: after, notes: folded.notes };
    },

    /** For a request from before a merge: its changes count as changes of the merged-away profile. */
    merge(before: Profile, changes: readonly ProfileChange[], item: AnyItem, away: string): Folded {
      const { at } = item.origin;
      const places = rooms.placesOf(before);
      const part = withOnly(before, namesIn(changes), places);
      const room = roomForPart(rooms.of(before, item));
      const isTheirs = isAbout(part, away);
      const theirs = fold(part, changes.filter(isTheirs), at, item.position, room);
      const kept = keepOrigins(part, theirs.profile);
      const rest = changes.filter((change) => !isTheirs(change));
      const other = fold(newProfile(before._id, before.ws, at), rest, at, item.position, {
        ...room,
        ...(theirs.size && { size: theirs.size }),
      });
      if (other.size) rooms.resize(before._id, { ...other.size, isEstimate: false });
      const joined = markOrigins(away, kept, withoutItself(mergeProfiles(kept, other.profile, time)));
      const logged = withLateContacts(before, joined, changes, { away, at });
      const after = settled(before, withRest(logged, before, places), item.origin);
      save(before, after);
      return { profile: after, notes: [...theirs.notes, ...other.notes] };
    },

    /** Statements of a person who was merged into this one. */
    add(before: Profile, statements: readonly Stated[]): void {
      save(before, { ...before, consents: withStatements(before.consents, statements) });
    },
  };
};
