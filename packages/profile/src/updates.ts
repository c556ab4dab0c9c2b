/** When a person was changed: the last time, and shortly before. By it a late request finds the person who was changed last at its time. */
import type { Profile, Stamp, Stamped } from './profile.ts';

export type Updates = Pick<Profile, 'updated_at' | 'updates'>;

/** The parts of a profile that tell when it was changed. */
export interface Updated extends Updates {
  fields: { email?: Pick<Stamped, 'at' | 'since'>; phone?: Pick<Stamped, 'at' | 'since'> };
  contacts?: readonly { at: Stamp }[];
}

/** Of changes within this time all are kept, and the last one before it: so long a request may wait, and longer. */
const keptMicroseconds = 60e6;

/** Of more changes within that time, the last ones are kept. */
export const mostUpdates = 8;

/** Only people with an email or phone are ranked by their changes. */
const isShareable = ({ email_key, phone_key, contacts }: Profile): boolean =>
  email_key !== undefined || phone_key !== undefined || contacts !== undefined;

const kept = (earlier: readonly Stamp[], newest: Stamp): Stamp[] => {
  const last = earlier.findLastIndex((at) => at <= newest - keptMicroseconds);
  return earlier.slice(Math.max(last, 0)).slice(-mostUpdates);
};

/** With one more change of the person, at any place in the order of the changes. */
export const updatesWith = (before: Profile, at: Stamp): Updates => {
  const { updated_at, updates = [] } = before;
  const newest = Math.max(updated_at, at);
  if (at === updated_at || updates.includes(at) || !isShareable(before))
    return { updated_at: newest, ...(before.updates && { updates }) };
  const earlier = at > updated_at ? [...updates, updated_at] : [...updates, at].sort((a, b) => a - b);
  return { updated_at: newest, updates: kept(earlier, newest) };
};

/** The last change of the person up to a stamp. When the earlier changes are forgotten, the moment at which the person got the contact counts. */
export const updatedBefore = ({ updated_at, updates, fields, contacts = [] }: Updated, at: Stamp): Stamp => {
  if (updated_at <= at) return updated_at;
  const known = updates?.findLast((one) => one <= at);
  if (known !== undefined) return known;
  const { email, phone } = fields;
  const given = [email?.since ?? email?.at, phone?.since ?? phone?.at, ...contacts.map((one) => one.at)];
  return given.reduce<Stamp>((last, one = 0) => (one <= at ? Math.max(last, one) : last), 0);
};
