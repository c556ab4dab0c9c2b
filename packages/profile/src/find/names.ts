/**
 * Whether a request names one of some people. It does not read the body by its schema: any text or number in it may be a name. So it may
 * report a person that the request does not name, but it never misses one.
 */

import type { EntrySubject } from '../plan/item.ts';
import { emailKey } from './identifier.ts';

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

/** The texts by which a request names the person with this identifier. `undefined`: the request may use another identifier. */
export const namesOfSubject = (identifier: EntrySubject): string[] | undefined => {
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

type WantedNames = ReadonlyMap<string, unknown>;

/** Calls `see` with each wanted name in a value, at any depth. */
export const namesIn = (value: unknown, wanted: WantedNames, see: (name: string) => void): void => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
    for (const name of contactNames(String(value))) if (wanted.has(name)) see(name);
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) namesIn(member, wanted, see);
  }
};
