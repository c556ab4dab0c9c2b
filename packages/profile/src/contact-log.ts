/** The emails and phones that a person has had, each with its period. By it a late request finds the contact of its time. */
import type { Channel } from './consent-keys.ts';
import { emailKey } from './identity-key.ts';
import type { ContactChange, Profile, Stamped } from './profile.ts';

export const channels: readonly Channel[] = ['email', 'phone'];

export const comparedIn = (c: Channel, { v }: Pick<Stamped, 'v'>): string | null => {
  if (typeof v !== 'string') return null;
  return c === 'email' ? emailKey(v) : v;
};

/** A person who has had only one contact has no list: the field tells it all. */
const fromField = ({ fields }: Pick<Profile, 'fields'>, c: Channel): ContactChange[] => {
  const field = fields[c];
  return field ? [{ c, v: comparedIn(c, field), at: field.since ?? field.at }] : [];
};

export type Logged = Pick<Profile, 'ws' | 'fields' | 'contacts'>;

/** The changes of an absorbed person. The last one is the merge: statements about them after it were accepted before the merge was applied. */
export const changesOf = ({ contacts = [] }: Pick<Profile, 'contacts'>, of: string): ContactChange[] =>
  contacts.filter((one) => one.of === of).slice(0, -1);

/** Oldest first: the changes of the person, or of an absorbed person. */
export const changesIn = (profile: Logged, c: Channel, of?: string): ContactChange[] => {
  if (of !== undefined) return changesOf(profile, of).filter((one) => one.c === c);
  const listed = (profile.contacts ?? []).filter((one) => one.c === c && one.of === undefined);
  return listed.length > 0 ? listed : fromField(profile, c);
};

/** Each change has a stamp of its own; of changes to the same value the first and the last are kept. */
export const listed = (changes: readonly ContactChange[]): ContactChange[] => {
  const byStamp = new Map(changes.map((one) => [one.at, one]));
  const sorted = [...byStamp.values()].toSorted((a, b) => a.at - b.at);
  return sorted.filter(({ v }, place) => sorted[place - 1]?.v !== v || sorted[place + 1]?.v !== v);
};
