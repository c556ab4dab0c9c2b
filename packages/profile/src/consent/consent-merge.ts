/** Consent in a merge: the kept person keeps contact and state, and gets the ones that they lack. No subscription is raised. */

import type { Consent, ContactChange, Profile, Said, Stamp } from '../profile.ts';
import { contactsOfAbsorbed, type Joining } from './absorbed-contacts.ts';
import { type Channel, channelOf, saidIn, withSaid } from './consent.ts';
import { type ContactConsents, statesOf } from './consent-states.ts';
import { channels, contactValueAt, loggedAs, mostContacts, withChanges } from './contact-log.ts';

/** All statements of a person and of the people merged into them, also those accepted after the merge and applied before it. */
const saidOver = (away: Profile, k: string, on: Stamp): Said[] =>
  away.consents
    .filter((one) => one.k === k)
    .flatMap(saidIn)
    .map((said) => ({ from: away._id, on, ...said }));

const everything = Number.POSITIVE_INFINITY;

/** The states of the other person in channels in which the kept person has no contact. They count where there is no state. */
const statesOver = (kept: Profile, away: Profile, contacts: ContactConsents, on: Stamp): Consent[] => {
  const known = new Set(statesOf(kept, contacts, on).map(({ k }) => k));
  let { consents } = kept;
  for (const { k } of away.consents) {
    const c = channelOf(k);
    if (known.has(k) || (c && contactValueAt(kept, c, on) !== undefined)) continue;
    consents = withSaid(consents, k, ...saidOver(away, k, on));
  }
  return consents;
};

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
const contactsOver = (kept: Profile, away: Profile, on: Stamp): ContactChange[] => {
  let own = kept.contacts ?? [];
  for (const c of channels) {
    const v = contactValueAt(away, c, everything);
    const at = takenAt(kept, away, c, on);
    if (v === undefined || at === undefined) continue;
    own = withChanges({ ...kept, contacts: own }, c, [{ c, v, at }]);
  }
  return own;
};

/** `merged` is made of both. The former contacts of the other person are kept: late statements may be about them. */
export const joinConsents = (
  kept: Profile,
  away: Profile,
  merged: Profile,
  contacts: ContactConsents,
  joining: Joining,
): Profile => {
  const { at } = joining;
  const all = [...contactsOfAbsorbed(away, joining), ...contactsOver(kept, away, at)];
  return {
    ...merged,
    consents: statesOver(kept, away, contacts, at),
    ...(all.length > 0 && loggedAs(all.slice(-mostContacts))),
  };
};
