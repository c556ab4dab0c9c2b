/** Rows that must not share a batch, because one gives away a contact that the other names. */
import type { Item, Loaded } from './loaded.ts';

/** The compared form of a contact. */
const known = (contact: string): string => contact.trim().toLowerCase();

/** The contact that identifies the person of an entry, if it is the only identifier. */
const contactNaming = ({ value }: Item): string | undefined => {
  const { external_id, user_alias, service_id, email, phone } = value;
  const contact = external_id ?? user_alias ?? service_id ?? null;
  return contact === null ? known(String(email ?? phone ?? '')) : undefined;
};

const contactsGiven = (item: Item): string[] =>
  [item.value.email, item.value.phone]
    .filter((contact) => typeof contact === 'string')
    .map(known)
    .filter((contact) => contact !== contactNaming(item));

/**
 * The next row may give a contact to a person, and an earlier row may name its owner by this contact. In one request all attributes
 * come before all events, and all of it has one time, so the statement about the contact would count for the new owner too.
 */
export const crosses = (rows: readonly Loaded[], next: Loaded): boolean => {
  const given = new Set(next.items.filter(({ array }) => array === 'attributes').flatMap(contactsGiven));
  if (given.size === 0) return false;
  return rows.some(({ items }) => items.some((item) => given.has(contactNaming(item) ?? '')));
};
