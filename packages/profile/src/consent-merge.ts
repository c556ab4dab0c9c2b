/** Consent in a merge: the kept person keeps contact and state, and gets the ones that they lack. No subscription is raised. */
import { contactsOfAbsorbed, type Joining } from './absorbed-contacts.ts';
import { saidIn } from './consent.ts';
import { channelOf } from './consent-keys.ts';
import { withSaid } from './consent-statements.ts';
import { statesOf } from './consent-states.ts';
import type { ContactConsents } from './consent-turns.ts';
import { loggedAs, mostContacts } from './contact-log-changes.ts';
import { contactsOver } from './contact-merge.ts';
import { contactValueAt } from './contact-periods.ts';
import type { Consent, Profile, Said, Stamp } from './profile.ts';

/** All statements of a person and of the people merged into them, also those accepted after the merge and applied before it. */
const saidOver = (away: Profile, k: string, on: Stamp): Said[] =>
  away.consents
    .filter((one) => one.k === k)
    .flatMap(saidIn)
    .map((said) => ({ from: away._id, on, ...said }));

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
