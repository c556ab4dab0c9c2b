/**
 * Whether a request names one of some people. Its body is not understood: each text and number in it may be a name. So a request may seem to name
 * a person that it doesn't, never the other way round.
 */
import { emailKey } from './identity-key.ts';
import type { Subject } from './plan/item.ts';
import type { Profile } from './profile.ts';

/** The members of a profile by which a request may name the person. */
export interface Nameable
  extends Pick<
    Profile,
    '_id' | 'external_id' | 'former_ids' | 'email_key' | 'phone_key' | 'token_keys' | 'absorbed'
  > {
  aliases?: readonly { name: string }[];
  contacts?: readonly { v: string | null }[];
}

/** Phones are written in many ways. All of them end in the same digits. */
const lastDigits = 7;
const longestPhone = 64;

const phoneName = (text: string): string | undefined => {
  if (text.length > longestPhone) return undefined;
  const digits = text.replace(/\D/g, '');
  return digits.length < lastDigits ? undefined : `phone:${digits.slice(-lastDigits)}`;
};

const contactNames = (value: string): string[] => {
  const phone = value.includes('@') ? undefined : phoneName(value);
  return [`text:${emailKey(value)}`, ...(phone === undefined ? [] : [phone])];
};

/** A token key is the length of the app's id, the id and the token. */
const tokenIn = (key: string): string => {
  const colon = key.indexOf(':');
  return key.slice(colon + 1 + Number(key.slice(0, colon)) + 1);
};

const namesFor = (person: Nameable): string[] => {
  const { _id, external_id, former_ids = [], aliases = [], absorbed = [] } = person;
  const { email_key, phone_key, token_keys = [], contacts = [] } = person;
  const had = contacts.flatMap(({ v }) => (v === null ? [] : [v]));
  const texts = [
    _id,
    ...former_ids,
    ...absorbed,
    ...aliases.map(({ name }) => name),
    ...token_keys.map(tokenIn),
  ];
  if (external_id !== undefined) texts.push(external_id);
  return [
    ...texts.map((text) => `text:${emailKey(text)}`),
    ...[...had, email_key, phone_key].flatMap((value) => (value === undefined ? [] : contactNames(value))),
  ];
};

const known = new WeakMap<Nameable, readonly string[]>();

export const namesOf = (person: Nameable): readonly string[] => {
  const names = known.get(person) ?? namesFor(person);
  known.set(person, names);
  return names;
};

/** The names that a request about this person would hold; `undefined`: it may use another identifier. */
export const namesOfSubject = (identifier: Subject): string[] | undefined => {
  switch (identifier.by) {
    case 'external_id':
      return [`text:${emailKey(identifier.id)}`];
    case 'user_alias':
      return [`text:${emailKey(identifier.name)}`];
    case 'email':
      return contactNames(identifier.email);
    case 'phone':
      return contactNames(identifier.phone);
    case 'service_id':
    case 'tokens':
      return undefined;
  }
};

type Names = ReadonlyMap<string, unknown>;

/** Calls `see` with each name that stands in a value, at any depth, and is among the wanted ones. */
export const namesIn = (value: unknown, wanted: Names, see: (name: string) => void): void => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
    for (const name of contactNames(String(value))) if (wanted.has(name)) see(name);
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) namesIn(member, wanted, see);
  }
};
