/**
 * What counts for a person, and how it came to that: read from what was said of each contact while they had it, of themselves, and from
 * which contacts they had. A state stands until the next statement; who comes to a contact of which something was said gets its state.
 */
import { channelOf, countingIn, inOrder, type Statement, saidIn, saidOf, withSaid } from './consent.ts';
import {
  absorbedIn,
  channels,
  contactAt,
  contactKeysOf,
  contactsOf,
  contactValueAt,
  type Stay,
  staysOf,
} from './contact-log.ts';
import type { Consent, ConsentState, Profile, Said, Stamp } from './profile.ts';

/** The registers of contacts, by identity key. */
export interface ContactConsents {
  get(key: string): readonly Consent[] | undefined;
}

/** As much of a person as their consent takes. */
export type Consenting = Pick<Profile, 'ws' | 'fields' | 'consents' | 'contacts'>;

/** A statement when it began to count for the person. */
interface Turn {
  moment: Stamp;
  said: Said;
  /** It was said before they came to the contact. */
  isOlder?: true;
}

export interface ConsentChange {
  k: string;
  from: ConsentState | null;
  to: ConsentState | null;
  at: Stamp;
  /** Among those with the same stamp. */
  n: number;
  /** The operation, where a statement was the cause: a state also changes with the contact. */
  op?: string;
}

const always: Stay = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };

const isPlain = ({ of, from }: Said): boolean => of === undefined && from === undefined;

const isWithin = ({ at }: Said, { from, until }: Stay): boolean => at >= from && at < until;

/** What was taken along from a contact, and what is known of it now: that it was never said, too. */
const together = (taken: readonly Said[], ofContact: readonly Said[]): Said[] => {
  const all = [...taken, ...ofContact].map((one): [string, Said] => [`${one.at} ${one.n ?? 0}`, one]);
  return [...new Map(all).values()].filter(({ gone }) => !gone);
};

/** What counts during a stay: what was said of the contact, and what they took along from it when they left. */
const turnsIn = (stay: Stay, own: readonly Said[], ofContact: readonly Said[]): Turn[] => {
  const { key, from } = stay;
  const themselves = own.filter((said) => isPlain(said) && isWithin(said, stay));
  const contact =
    key === undefined
      ? []
      : together(
          own.filter(({ of }) => of === key),
          ofContact,
        );
  const before = contact
    .filter(({ at }) => at < from)
    .toSorted(inOrder)
    .at(-1);
  const during = [...themselves, ...contact.filter((said) => isWithin(said, stay))];
  return [
    ...(before ? [{ moment: from, said: before, isOlder: true as const }] : []),
    ...during.map((said) => ({ moment: said.at, said })),
  ];
};

const inTurn = (a: Turn, b: Turn): number =>
  a.moment - b.moment ||
  Number(b.isOlder ?? false) - Number(a.isOlder ?? false) ||
  Number(a.said.from !== undefined) - Number(b.said.from !== undefined) ||
  (a.said.n ?? 0) - (b.said.n ?? 0);

/** What counted for those who were merged into this person, as far as the person had no contact: it counts where nothing else does. */
const mergedIn = (person: Consenting, contacts: ContactConsents, k: string): Turn[] => {
  const own = saidOf(person.consents, k);
  const c = channelOf(k);
  return absorbedIn(person).flatMap(({ away, on }) => {
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
      contacts: contactsOf(person, away),
    };
    const last = turnsOf(as, contacts, k).findLast(({ moment }) => moment < on);
    return last ? [{ moment: on, said: { ...last.said, from: away } }] : [];
  });
};

/** Every statement that counted for the person, in the order in which they did. */
const turnsOf = (person: Consenting, contacts: ContactConsents, k: string): Turn[] => {
  const own = saidOf(person.consents, k);
  const channel = channelOf(k);
  const stays = channel ? staysOf(person, channel) : [always];
  const turns = stays.flatMap((stay) => turnsIn(stay, own, saidOf(contacts.get(stay.key ?? ''), k)));
  const merged = mergedIn(person, contacts, k);
  if (merged.length === 0) return turns.toSorted(inTurn);
  const counting: Turn[] = [];
  for (const turn of [...turns, ...merged].toSorted(inTurn))
    if (turn.said.from === undefined || counting.length === 0) counting.push(turn);
  return counting;
};

const registersOf = (person: Consenting, contacts: ContactConsents): Set<string> => {
  const names = new Set(person.consents.map(({ k }) => k));
  for (const key of contactKeysOf(person)) for (const { k } of contacts.get(key) ?? []) names.add(k);
  return names;
};

/** What counts for the person before a stamp; for good without one. */
export const statesOf = (
  person: Consenting,
  contacts: ContactConsents,
  until = Number.POSITIVE_INFINITY,
): Consent[] =>
  [...registersOf(person, contacts)].flatMap((k) => {
    const last = turnsOf(person, contacts, k).findLast(({ moment }) => moment < until);
    return last ? [{ k, v: last.said.v, at: last.said.at }] : [];
  });

const changeOf = (k: string, from: ConsentState | null, { moment, said, isOlder }: Turn): ConsentChange => ({
  k,
  from,
  to: said.v,
  at: moment,
  n: said.n ?? 0,
  ...(said.op !== undefined && !isOlder && said.from === undefined && { op: said.op }),
});

const changesIn = (k: string, turns: readonly Turn[]): ConsentChange[] => {
  let from: ConsentState | null = null;
  return turns.flatMap((turn) => {
    const change = changeOf(k, from, turn);
    from = change.to;
    return change.from === change.to ? [] : [change];
  });
};

const newestFirst = (a: ConsentChange, b: ConsentChange): number =>
  b.at - a.at || b.n - a.n || (a.k < b.k ? -1 : Number(a.k > b.k));

/** Every change of what counts for the person, newest first. */
export const consentHistory = (person: Consenting, contacts: ContactConsents): ConsentChange[] =>
  [...registersOf(person, contacts)]
    .flatMap((k) => changesIn(k, turnsOf(person, contacts, k)))
    .toSorted(newestFirst);

/** The same of a contact. */
export const contactHistory = (registers: readonly Consent[]): ConsentChange[] =>
  registers
    .flatMap((one) =>
      changesIn(
        one.k,
        countingIn(one).map((said) => ({ moment: said.at, said })),
      ),
    )
    .toSorted(newestFirst);

/** Contacts that they have left, as far as that was not known before. */
export const leftBetween = (before: Consenting, after: Consenting): { key: string; until: Stamp }[] =>
  channels.flatMap((c) => {
    const known = new Set(staysOf(before, c).map(({ key, until }) => `${until} ${key}`));
    return staysOf(after, c).flatMap(({ key, until }) =>
      key !== undefined && until < always.until && !known.has(`${until} ${key}`) ? [{ key, until }] : [],
    );
  });

/** What somebody who leaves a contact takes along: the contact may be forgotten before them. */
export const keptOnLeaving = (key: string, until: Stamp, registers: readonly Consent[]): Statement[] =>
  registers.flatMap((register) => {
    const said = countingIn(register).findLast(({ at }) => at < until);
    return said ? [{ ...said, k: register.k, of: key }] : [];
  });

/** What they said of themselves that, by the contacts they had, was said of another contact than was known. */
export const movedStatements = (
  before: Consenting,
  after: Consenting,
): { statement: Statement; out?: string; into?: string }[] =>
  after.consents.flatMap((register) => {
    const c = channelOf(register.k);
    if (c === undefined) return [];
    return saidIn(register)
      .filter(isPlain)
      .flatMap((said) => {
        const [out, into] = [contactAt(before, c, said.at), contactAt(after, c, said.at)];
        if (out === into) return [];
        const statement: Statement = { ...said, k: register.k };
        return [{ statement, ...(out !== undefined && { out }), ...(into !== undefined && { into }) }];
      });
  });
