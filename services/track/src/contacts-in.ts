/** The contacts that an entry is about. */
import { type Item, identityKey, type TrackEntry } from '@roster/profile';

/** Whether the entry has a statement of consent that is about a contact too. */
export const isStating = ({ entry }: Item<TrackEntry>): boolean =>
  'email_subscribe' in entry || 'subscription_groups' in entry;

export const isAboutContacts = (item: Item<TrackEntry>): boolean =>
  'email' in item.entry || 'phone' in item.entry || isStating(item);

/** Contacts that the entry itself names. */
export const contactsIn = ({ entry: { email, phone }, origin: { ws } }: Item<TrackEntry>): string[] => [
  ...(email == null ? [] : [identityKey(ws, { by: 'email', email })]),
  ...(phone == null ? [] : [identityKey(ws, { by: 'phone', phone })]),
];
