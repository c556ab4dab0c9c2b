/** The emails and phones that a person has had, each with its period. By it a late request finds the contact of its time. */

import { emailKey, identityKey } from '../find/identifier.ts';
import type { ContactChange, Profile, Stamp, Stamped } from '../profile.ts';
import type { Channel } from './consent.ts';

/** The person had this contact from the first stamp up to the second; without a key: no contact. */
export interface ContactPeriod {
  /** Identity key of the email or phone. */
  key?: string;
  from: Stamp;
  until: Stamp;
}

export const channels: readonly Channel[] = ['email', 'phone'];

/** Older ones are forgotten. */
export const mostContacts = 64;

export const comparedIn = (c: Channel, { v }: Pick<Stamped, 'v'>): string | null => {
  if (typeof v !== 'string') return null;
  return c === 'email' ? emailKey(v) : v;
};

/** Updates the key by which the email or phone finds the person. */
export const setContactKey = (profile: Profile, c: Channel): void => {
  const field = profile.fields[c];
  const key = field ? comparedIn(c, field) : null;
  if (key === null) delete profile[`${c}_key`];
  else profile[`${c}_key`] = key;
};

/** A person who has had only one contact has no list: the field tells it all. */
const fromField = ({ fields }: Pick<Profile, 'fields'>, c: Channel): ContactChange[] => {
  const field = fields[c];
  return field ? [{ c, v: comparedIn(c, field), at: field.since ?? field.at }] : [];
};

type Logged = Pick<Profile, 'ws' | 'fields' | 'contacts'>;

/** The changes of an absorbed person. The last one is the merge: statements about them after it were accepted before the merge was applied. */
export const changesOf = ({ contacts = [] }: Pick<Profile, 'contacts'>, of: string): ContactChange[] =>
  contacts.filter((one) => one.of === of).slice(0, -1);

/** Oldest first: the changes of the person, or of an absorbed person. */
export const changesIn = (profile: Logged, c: Channel, of?: string): ContactChange[] => {
  if (of !== undefined) return changesOf(profile, of).filter((one) => one.c === c);
  const listed = (profile.contacts ?? []).filter((one) => one.c === c && one.of === undefined);
  return listed.length > 0 ? listed : fromField(profile, c);
};

export const contactKey = (ws: string, c: Channel, v: string): string =>
  identityKey(ws, c === 'email' ? { by: 'email', email: v } : { by: 'phone', phone: v });

/** From the beginning of time to its end. */
export const contactPeriodsOf = (profile: Logged, c: Channel): ContactPeriod[] => {
  const all = changesIn(profile, c);
  const changes = all.filter(({ v }, place) => place === 0 || all[place - 1]?.v !== v);
  const first: ContactPeriod = {
    from: Number.NEGATIVE_INFINITY,
    until: changes[0]?.at ?? Number.POSITIVE_INFINITY,
  };
  return [
    first,
    ...changes.map(({ v, at }, place): ContactPeriod => {
      const until = changes[place + 1]?.at ?? Number.POSITIVE_INFINITY;
      return { ...(v !== null && { key: contactKey(profile.ws, c, v) }), from: at, until };
    }),
  ];
};

/** The email or phone that they had at a stamp, in its compared form. */
export const contactValueAt = (profile: Logged, c: Channel, stamp: Stamp, of?: string): string | undefined =>
  changesIn(profile, c, of).findLast((one) => one.at <= stamp)?.v ?? undefined;

/** The identity key of the contact that they had at a stamp; with `of`, of an absorbed person. */
export const contactAt = (profile: Logged, c: Channel, stamp: Stamp, of?: string): string | undefined => {
  const v = contactValueAt(profile, c, stamp, of);
  return v === undefined ? undefined : contactKey(profile.ws, c, v);
};

/** All contacts that they or the people merged into them have or had. */
export const contactKeysOf = (profile: Logged): string[] => {
  const { ws, contacts = [] } = profile;
  const own = channels.flatMap((c) => contactPeriodsOf(profile, c).flatMap(({ key }) => key ?? []));
  const absorbed = contacts.flatMap(({ c, v, of }) => (of && v !== null ? contactKey(ws, c, v) : []));
  return [...new Set([...own, ...absorbed])];
};

/** Each change has a stamp of its own; of changes to the same value the first and the last are kept. */
const listed = (changes: readonly ContactChange[]): ContactChange[] => {
  const byStamp = new Map(changes.map((one) => [one.at, one]));
  const sorted = [...byStamp.values()].toSorted((a, b) => a.at - b.at);
  return sorted.filter(({ v }, place) => sorted[place - 1]?.v !== v || sorted[place + 1]?.v !== v);
};

/** Those of absorbed people stay in front, in the order of their merges. */
const inOrder = (a: ContactChange, b: ContactChange): number => {
  if (a.of !== undefined || b.of !== undefined)
    return Number(a.of === undefined) - Number(b.of === undefined);
  return a.c === b.c ? a.at - b.at : a.c < b.c ? -1 : 1;
};

/** With more changes of one channel. */
export const withChanges = (profile: Logged, c: Channel, news: readonly ContactChange[]): ContactChange[] => {
  const others = (profile.contacts ?? []).filter((one) => one.c !== c || one.of !== undefined);
  const own = listed([...changesIn(profile, c), ...news]);
  return [...others, ...own].toSorted(inOrder).slice(-mostContacts);
};

/** The changes as a profile holds them. With the newest stamp the store finds people who may have left a contact since a request was accepted. */
export const loggedAs = (contacts: ContactChange[]): Required<Pick<Profile, 'contacts' | 'contacts_at'>> => ({
  contacts,
  contacts_at: contacts.reduce((newest, { at }) => Math.max(newest, at), 0),
});

/** With one more change of the person, who may have had no contact before. */
export const withChange = (contacts: readonly ContactChange[], change: ContactChange): ContactChange[] =>
  [...contacts, change].toSorted(inOrder).slice(-mostContacts);

/** Records the change before the field is set. The list stays the same as long as there was only one contact. */
export const withContact = (profile: Logged, c: Channel, next: Pick<Stamped, 'v' | 'at'>) => {
  const field = profile.fields[c];
  const before = profile.contacts;
  if (!field) return before;
  const v = comparedIn(c, next);
  const isSame = v === comparedIn(c, field);
  const hasList = before?.some((one) => one.c === c && one.of === undefined) === true;
  if (isSame && (next.at >= field.at || !hasList)) return before;
  const change: ContactChange = { c, v, at: next.at };
  // Sent again. A contact from a merge may have a field older than the period.
  const isAgain = field.at >= (changesIn(profile, c).at(-1)?.at ?? 0);
  return withChanges(profile, c, isAgain ? [{ c, v: comparedIn(c, field), at: field.at }, change] : [change]);
};

/** The list without the contact that the person has now. */
export const withoutLastChange = (contacts: readonly ContactChange[], c: Channel): ContactChange[] => {
  const last = contacts.findLastIndex((one) => one.c === c && one.of === undefined);
  return contacts.filter((_, place) => place !== last);
};
