/**
 * The consent states of a person and how they came about. Three sources: statements about each contact while the person had it, statements about
 * the person, and the list of contacts. A state stands until the next statement; a person who gets a contact gets its state.
 */

import { type Consenting, type ContactConsents, turnsOf } from './consent-turns.ts';
import { contactKeysOf } from './contact-periods.ts';
import type { Consent } from './profile.ts';

export const registersOf = (person: Consenting, contacts: ContactConsents): Set<string> => {
  const names = new Set(person.consents.map(({ k }) => k));
  for (const key of contactKeysOf(person)) for (const { k } of contacts.get(key) ?? []) names.add(k);
  return names;
};

/** The states of the person before a stamp; the current ones without a stamp. */
export const statesOf = (
  person: Consenting,
  contacts: ContactConsents,
  until = Number.POSITIVE_INFINITY,
): Consent[] =>
  [...registersOf(person, contacts)].flatMap((k) => {
    const last = turnsOf(person, contacts, k).findLast(({ moment }) => moment < until);
    return last ? [{ k, v: last.said.v, at: last.said.at }] : [];
  });
