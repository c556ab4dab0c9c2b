/** Which emails and phones a person has had, and from when to when: so that what comes late finds the contact they had then. */
import type { Channel } from './consent.ts';
import { emailKey, identityKey } from './identifier.ts';
import type { ContactChange, Profile, Stamp, Stamped } from './profile.ts';

/** The person had this contact from the one stamp on, before the other; no contact without a key. */
export interface Stay {
  /** Identity key of the email or phone. */
  key?: string;
  from: Stamp;
  until: Stamp;
}

export const channels: readonly Channel[] = ['email', 'phone'];

/** Older ones are forgotten. */
export const mostContacts = 64;

const comparedIn = (c: Channel, { v }: Pick<Stamped, 'v'>): string | null => {
  if (typeof v !== 'string') return null;
  return c === 'email' ? emailKey(v) : v;
};

/** Who has had one contact only has no list: their field says it all. */
const fromField = ({ fields }: Pick<Profile, 'fields'>, c: Channel): ContactChange[] => {
  const field = fields[c];
  return field ? [{ c, v: comparedIn(c, field), at: field.since ?? field.at }] : [];
};

type Logged = Pick<Profile, 'ws' | 'fields' | 'contacts'>;

/** Oldest first: those of the person, or of somebody who was merged into them. */
const changesIn = (profile: Logged, c: Channel, of?: string): ContactChange[] => {
  const listed = (profile.contacts ?? []).filter((one) => one.c === c && one.of === of);
  return listed.length > 0 || of !== undefined ? listed : fromField(profile, c);
};

const keyOf = (ws: string, c: Channel, v: string): string =>
  identityKey(ws, c === 'email' ? { by: 'email', email: v } : { by: 'phone', phone: v });

/** From the beginning of time to its end. */
export const staysOf = (profile: Logged, c: Channel): Stay[] => {
  const all = changesIn(profile, c);
  const changes = all.filter(({ v }, place) => place === 0 || all[place - 1]?.v !== v);
  const first: Stay = { from: Number.NEGATIVE_INFINITY, until: changes[0]?.at ?? Number.POSITIVE_INFINITY };
  return [
    first,
    ...changes.map(({ v, at }, place): Stay => {
      const until = changes[place + 1]?.at ?? Number.POSITIVE_INFINITY;
      return { ...(v !== null && { key: keyOf(profile.ws, c, v) }), from: at, until };
    }),
  ];
};

/** The email or phone that they had at a stamp, as it is compared. */
export const contactValueAt = (profile: Logged, c: Channel, at: Stamp, of?: string): string | undefined =>
  changesIn(profile, c, of).findLast((one) => one.at <= at)?.v ?? undefined;

/** The identity key of the contact that they had at a stamp; of somebody who was merged into them, with `of`. */
export const contactAt = (profile: Logged, c: Channel, at: Stamp, of?: string): string | undefined => {
  const v = contactValueAt(profile, c, at, of);
  return v === undefined ? undefined : keyOf(profile.ws, c, v);
};

/** Every contact that they have or had, or those had who were merged into them. */
export const contactKeysOf = (profile: Logged): string[] => {
  const { ws, contacts = [] } = profile;
  const own = channels.flatMap((c) => staysOf(profile, c).flatMap(({ key }) => key ?? []));
  const absorbed = contacts.flatMap(({ c, v, of }) => (of && v !== null ? keyOf(ws, c, v) : []));
  return [...new Set([...own, ...absorbed])];
};

/** Each at a stamp of its own; of those that say the same the first and the last. */
const listed = (changes: readonly ContactChange[]): ContactChange[] => {
  const byStamp = new Map(changes.map((one) => [one.at, one]));
  const sorted = [...byStamp.values()].toSorted((a, b) => a.at - b.at);
  return sorted.filter(({ v }, place) => sorted[place - 1]?.v !== v || sorted[place + 1]?.v !== v);
};

/** Those of absorbed people stay in front, as they came. */
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

/** A field is set: before it changes. The list is the same as long as there was only one. */
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
  // Said again since. What came over in a merge is older than that they have it.
  const isAgain = field.at >= (changesIn(profile, c).at(-1)?.at ?? 0);
  return withChanges(profile, c, isAgain ? [{ c, v: comparedIn(c, field), at: field.at }, change] : [change]);
};

/** What is left of the list of somebody who is merged away. It ends with the merge. */
export const contactsOfAbsorbed = (away: Profile, at: Stamp): ContactChange[] => {
  const { _id: of, contacts = [] } = away;
  return [
    ...contacts.filter((one) => one.of !== undefined).map((one) => ({ via: of, ...one })),
    ...channels.flatMap((c) => changesIn(away, c).map((one) => ({ ...one, of }))),
    { c: 'email', v: null, at, of },
  ];
};

/** Those who were merged into this person, and when. */
export const absorbedIn = (person: Pick<Profile, 'contacts'>): { away: string; on: Stamp }[] => {
  const last = new Map<string, Stamp>();
  for (const { of, via, at } of person.contacts ?? [])
    if (of !== undefined && via === undefined) last.set(of, at);
  return [...last].map(([away, on]) => ({ away, on }));
};

/** The list that somebody had who was merged in, with those who had been merged into them. */
export const contactsOf = ({ contacts = [] }: Pick<Profile, 'contacts'>, away: string): ContactChange[] =>
  contacts.flatMap(({ of, via, ...one }) => {
    if (of === away) return [one];
    if (of === undefined || via === undefined) return [];
    return [{ ...one, of, ...(via !== away && { via }) }];
  });

/** When somebody was merged into this person, if that is not too many merges ago. */
export const mergedAt = ({ contacts = [] }: Pick<Profile, 'contacts'>, away: string): Stamp | undefined =>
  contacts.findLast(({ of }) => of === away)?.at;
