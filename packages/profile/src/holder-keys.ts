/** The identity keys that find a person by an email, phone or push token. */
import { contactKey } from './contact-periods.ts';
import { tokenIdentity } from './identity-key.ts';
import type { Alias, ContactChange, Stamped } from './profile.ts';
import type { Candidate } from './rank-candidates.ts';
import type { Updates } from './updates.ts';

/** The members of a profile that finding a person needs. */
export interface Holder extends Candidate, Updates {
  ws: string;
  email_key?: string;
  phone_key?: string;
  /** Only tracking finds people by push tokens. */
  token_keys?: string[];
  fields: { email?: Pick<Stamped, 'at' | 'since'>; phone?: Pick<Stamped, 'at' | 'since'> };
  /** Only of a person who has had several contacts. */
  contacts?: ContactChange[];
  absorbed?: string[];
  aliases?: readonly Alias[];
  former_ids?: string[];
}

type Reachable = Pick<Holder, 'ws' | 'email_key' | 'phone_key'>;

/** Identity keys of the email and the phone that a person has. */
export const currentContactKeysOf = ({ ws, email_key, phone_key }: Reachable): string[] => [
  ...(email_key === undefined ? [] : [contactKey(ws, 'email', email_key)]),
  ...(phone_key === undefined ? [] : [contactKey(ws, 'phone', phone_key)]),
];

/** Identity keys of the emails and phones that a person has had. */
export const formerContactKeysOf = ({ ws, contacts = [] }: Pick<Holder, 'ws' | 'contacts'>): string[] =>
  contacts.flatMap(({ c, v, of }) => (v === null || of !== undefined ? [] : contactKey(ws, c, v)));

/** Identity keys of the push tokens that a person has. */
export const tokenKeysOf = ({ ws, token_keys = [] }: Pick<Holder, 'ws' | 'token_keys'>): string[] =>
  token_keys.map((token) => tokenIdentity(ws, token));

/** Identity keys that find a person and that other people may share. */
export const sharedKeysOf = (person: Reachable & Pick<Holder, 'token_keys'>): string[] => [
  ...tokenKeysOf(person),
  ...currentContactKeysOf(person),
];
