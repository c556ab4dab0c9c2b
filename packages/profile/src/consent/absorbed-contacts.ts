/** The emails and phones of absorbed people, and when these people were merged. */

import type { ContactChange, Profile, Stamp } from '../profile.ts';
import { changesIn, changesOf, channels, mostContacts } from './contact-log.ts';

type Contacted = Pick<Profile, 'contacts'>;

/** The stamp of a merge, and whether it named people by an email or phone. */
export interface Joining {
  at: Stamp;
  byContact?: boolean;
}

/** The part of the list of a merged-away person that is kept. It ends with the merge. */
export const contactsOfAbsorbed = (away: Profile, { at, byContact }: Joining): ContactChange[] => {
  const { _id: of, contacts = [] } = away;
  return [
    ...contacts.filter((one) => one.of !== undefined).map((one) => ({ via: of, ...one })),
    ...channels.flatMap((c) => changesIn(away, c).map((one) => ({ ...one, of }))),
    { c: 'email', v: null, at, of, ...(byContact && { by_contact: true as const }) },
  ];
};

/** The people who were merged into this person, and when. */
export const absorbedIn = (person: Contacted): { away: string; on: Stamp }[] => {
  const last = new Map<string, Stamp>();
  for (const { of, via, at } of person.contacts ?? [])
    if (of !== undefined && via === undefined) last.set(of, at);
  return [...last].map(([away, on]) => ({ away, on }));
};

/** The list of an absorbed person, with the people who had been merged into them. It ends with the merge. */
export const contactsOf = (person: Contacted, { away, on }: { away: string; on: Stamp }): ContactChange[] => {
  const others = (person.contacts ?? []).flatMap(({ via, ...one }) => {
    if (via === undefined || one.of === away) return [];
    return [{ ...one, ...(via !== away && { via }) }];
  });
  const own = changesOf(person, away).map(({ c, v, at }): ContactChange => ({ c, v, at }));
  const end = own.reduce((last, { at }) => Math.max(last, at), on);
  return [...others, ...own, ...channels.map((c): ContactChange => ({ c, v: null, at: end }))];
};

/** Adds a late change of contact of an absorbed person. */
export const withLateChange = (
  { contacts = [] }: Contacted,
  away: string,
  change: ContactChange,
): ContactChange[] => {
  const own = contacts.filter(({ of }) => of === away);
  const end = own.pop();
  if (!end) return contacts;
  const { via } = end;
  const late: ContactChange = { ...change, of: away, ...(via !== undefined && { via }) };
  const sorted = [...own, late].toSorted((a, b) => (a.c === b.c ? a.at - b.at : a.c < b.c ? -1 : 1));
  return [...sorted, end, ...contacts.filter(({ of }) => of !== away)].slice(-mostContacts);
};

/** The merge of a person into this one: the end of their list. `undefined` when it is forgotten. */
export const mergeOf = ({ contacts }: Contacted, away: string): ContactChange | undefined =>
  contacts?.findLast(({ of }) => of === away);

/**
 * The service id that a merged-away person had become by a stamp: the kept person, or a person who was merged into the kept one later.
 * `undefined`: the person was not merged yet, or the merge is forgotten.
 */
export const keptAt = (
  person: Pick<Profile, '_id' | 'contacts'>,
  away: string,
  at: Stamp,
): string | undefined => {
  const merge = mergeOf(person, away);
  if (!merge || merge.at >= at) return undefined;
  const { via } = merge;
  return via === undefined || via === away ? person._id : (keptAt(person, via, at) ?? via);
};
