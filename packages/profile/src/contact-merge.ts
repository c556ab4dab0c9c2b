/** Emails and phones in a merge: the kept person gets the ones that they lack. */
import type { Channel } from './consent-keys.ts';
import { channels } from './contact-log.ts';
import { withChanges } from './contact-log-changes.ts';
import { contactValueAt } from './contact-periods.ts';
import type { ContactChange, Profile, Stamp } from './profile.ts';

const everything = Number.POSITIVE_INFINITY;

/**
 * When the kept person gets the contact of the other: at the merge, or as soon as the other person has it. A kept person who lost their own contact
 * since gets it at that moment. A kept person who had their own contact all along never gets it.
 */
const takenAt = (kept: Profile, away: Profile, c: Channel, on: Stamp): Stamp | undefined => {
  const at = Math.max(on, away.fields[c]?.at ?? on);
  if (contactValueAt(kept, c, everything) === undefined) return Math.max(at, kept.fields[c]?.at ?? at);
  return contactValueAt(kept, c, at) === undefined ? at : undefined;
};

/** From this stamp on the kept person has the contact that they lack. */
export const contactsOver = (kept: Profile, away: Profile, on: Stamp): ContactChange[] => {
  let own = kept.contacts ?? [];
  for (const c of channels) {
    const v = contactValueAt(away, c, everything);
    const at = takenAt(kept, away, c, on);
    if (v === undefined || at === undefined) continue;
    own = withChanges({ ...kept, contacts: own }, c, [{ c, v, at }]);
  }
  return own;
};
