/**
 * The consent states of a person and how they came about. Three sources: statements about each contact while the person had it, statements about
 * the person, and the list of contacts. A state stands until the next statement; a person who gets a contact gets its state.
 */

import type { Consent, ConsentState, Profile, Said, Stamp } from '../profile.ts';
import { absorbedIn, contactsOf } from './absorbed-contacts.ts';
import { type Channel, channelOf, inOrder, saidOf, withSaid } from './consent.ts';
import {
  type ContactPeriod,
  contactAt,
  contactKeysOf,
  contactPeriodsOf,
  contactValueAt,
} from './contact-log.ts';

/** The registers of contacts, by identity key. */
export interface ContactConsents {
  get(key: string): readonly Consent[] | undefined;
}

/** The members of a profile that consent is read from. */
export type Consenting = Pick<Profile, 'ws' | 'fields' | 'consents' | 'contacts'>;

/** A statement when it began to count for the person. */
export interface CountedStatement {
  moment: Stamp;
  said: Said;
  /** It was stated before the person had the contact. */
  isOlder?: true;
}

const always: ContactPeriod = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };

const isPlain = ({ of, from }: Said): boolean => of === undefined && from === undefined;

const isWithin = ({ at }: Said, { from, until }: ContactPeriod): boolean => at >= from && at < until;

/** Statements that the person kept, joined with those of the contact today. A retracted statement is marked `gone`. */
const together = (keptByPerson: readonly Said[], ofContact: readonly Said[]): Said[] => {
  const all = [...keptByPerson, ...ofContact].map((one): [string, Said] => [`${one.at} ${one.n ?? 0}`, one]);
  return [...new Map(all).values()].filter(({ gone }) => !gone);
};

/** The states during a contact period: statements about the contact, and statements that the person kept when they left it. */
const turnsIn = (period: ContactPeriod, own: readonly Said[], ofContact: readonly Said[]) => {
  const { key, from } = period;
  const themselves = own.filter((said) => isPlain(said) && isWithin(said, period));
  const kept = own.filter(({ of }) => of === key);
  const contact = key === undefined ? [] : together(kept, ofContact);
  const before = contact
    .filter(({ at }) => at < from)
    .toSorted(inOrder)
    .at(-1);
  const during = [...themselves, ...contact.filter((said) => isWithin(said, period))];
  return [
    ...(before ? [{ moment: from, said: before, isOlder: true as const }] : []),
    ...during.map((said) => ({ moment: said.at, said })),
  ];
};

const inTurn = (a: CountedStatement, b: CountedStatement): number =>
  a.moment - b.moment ||
  Number(b.isOlder ?? false) - Number(a.isOlder ?? false) ||
  Number(a.said.from !== undefined) - Number(b.said.from !== undefined) ||
  (a.said.n ?? 0) - (b.said.n ?? 0);

/** Whether the person got a contact by a change of their own, not by a merge. */
const cameToOther = (
  person: Consenting,
  other: Consenting,
  c: Channel,
  [after, until]: readonly [Stamp, Stamp],
): boolean => {
  const merges = new Set(absorbedIn(person).map(({ on }) => on));
  return contactPeriodsOf(person, c).some(
    ({ key, from }) =>
      key !== undefined &&
      from > after &&
      from <= until &&
      !merges.has(from) &&
      key !== contactAt(other, c, from),
  );
};

/** The states of absorbed people in channels in which the person had no contact: they count where there is no other state. */
const mergedIn = (person: Consenting, contacts: ContactConsents, k: string): CountedStatement[] => {
  const own = saidOf(person.consents, k);
  const c = channelOf(k);
  return absorbedIn(person).flatMap((absorbed) => {
    const { away, on } = absorbed;
    if (c && contactValueAt(person, c, on - 1) !== undefined) return [];
    const theirs = own.flatMap((said): Said[] => {
      const { from, on: _, ...rest } = said;
      if (from === undefined) return [];
      return from === away ? [rest] : [said];
    });
    const as = {
      ws: person.ws,
      fields: {},
      consents: withSaid([], k, ...theirs),
      contacts: contactsOf(person, absorbed),
    };
    const last = turnsOf(as, contacts, k).at(-1);
    // Stated while the merge was waiting: the kept person had a contact by then.
    if (c && last && cameToOther(person, as, c, [on, last.moment])) return [];
    return last ? [{ moment: on, said: { ...last.said, from: away } }] : [];
  });
};

/** As the contract names them. */
const phoneActions = { stop: 'phone.stop', start: 'phone.start' };

/** A START about a contact that had no state before its STOP gives each person the state that they had before it: they may have stated one without the contact. */
const withStatesBefore = (turns: readonly CountedStatement[]): CountedStatement[] => {
  let before: ConsentState | null = null;
  return turns.map((turn) => {
    const { v, op } = turn.said;
    if (v === null && op === phoneActions.start) return { ...turn, said: { ...turn.said, v: before } };
    if (op !== phoneActions.stop) before = v;
    return turn;
  });
};

const countedTurns = (person: Consenting, contacts: ContactConsents, k: string): CountedStatement[] => {
  const own = saidOf(person.consents, k);
  const channel = channelOf(k);
  const periods = channel ? contactPeriodsOf(person, channel) : [always];
  const turns = periods.flatMap((period) => turnsIn(period, own, saidOf(contacts.get(period.key ?? ''), k)));
  const merged = mergedIn(person, contacts, k);
  if (merged.length === 0) return turns.toSorted(inTurn);
  const counting: CountedStatement[] = [];
  for (const turn of [...turns, ...merged].toSorted(inTurn))
    if (turn.said.from === undefined || counting.length === 0) counting.push(turn);
  return counting;
};

/** Every statement that counted for the person, in the order in which they did. */
export const turnsOf = (person: Consenting, contacts: ContactConsents, k: string): CountedStatement[] =>
  withStatesBefore(countedTurns(person, contacts, k));

export const registersOf = (person: Consenting, contacts: ContactConsents): Set<string> => {
  const names = new Set(person.consents.map(({ k }) => k));
  for (const key of contactKeysOf(person)) for (const { k } of contacts.get(key) ?? []) names.add(k);
  return names;
};

/** The states of the person before a stamp; the current ones without a stamp. */
export const statesOf = (person: Consenting, contacts: ContactConsents, until = Number.POSITIVE_INFINITY) =>
  [...registersOf(person, contacts)].flatMap((k) => {
    const last = turnsOf(person, contacts, k).findLast(({ moment }) => moment < until);
    return last ? [{ k, v: last.said.v, at: last.said.at }] : [];
  });
