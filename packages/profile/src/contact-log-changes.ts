/** Changes of the list of contacts of a profile. */
import type { Channel } from './consent-keys.ts';
import { changesIn, comparedIn, type Logged, listed } from './contact-log.ts';
import type { ContactChange, Profile, Stamped } from './profile.ts';

/** Older ones are forgotten. */
export const mostContacts = 64;

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
export const withContact = (
  profile: Logged,
  c: Channel,
  next: Pick<Stamped, 'v' | 'at'>,
): ContactChange[] | undefined => {
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

/** As if the person had never had their current contact. */
export const withoutLastChange = (contacts: readonly ContactChange[], c: Channel): ContactChange[] => {
  const last = contacts.findLastIndex((one) => one.c === c && one.of === undefined);
  return contacts.filter((_, place) => place !== last);
};
