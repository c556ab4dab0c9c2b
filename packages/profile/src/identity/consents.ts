/** Statements of consent with the changes of a batch of identity requests. */
import type { ContactConsents } from '../consent-turns.ts';
import { contactKeysOf } from '../contact-periods.ts';
import { createContacts } from '../contacts.ts';
import { currentContactKeysOf } from '../holder-keys.ts';
import { createMoving } from '../moving.ts';
import type { Profile } from '../profile.ts';
import type { IdentityKnown } from './known.ts';

/** Statements of consent about the contacts of a batch. */
export const createConsents = (known: IdentityKnown['contacts'], needs: Set<string>) => {
  const contacts = createContacts(known, needs);

  return {
    /** The person changes their email or phone: the result is the same in whichever order requests come. */
    settled: createMoving(contacts),
    eraseContact: contacts.erase,
    consentWrites: contacts.writes,

    /** Statements about the contacts that people have or had; `undefined` when they are not loaded yet. */
    contactsOf(...people: Profile[]): ContactConsents | undefined {
      const needed = needs.size;
      for (const key of people.flatMap(contactKeysOf)) contacts.get(key);
      return needs.size > needed ? undefined : contacts;
    },

    /** A person is merged away: their contacts may have no owner now. */
    leaveContacts(profile: Profile): void {
      for (const key of currentContactKeysOf(profile)) contacts.leave(profile.ws, key);
    },
  };
};
