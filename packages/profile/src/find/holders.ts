/** The people who have an email, phone or push token: the identity keys that find them, and when they had a contact. */
import { absorbedIn } from '../consent/absorbed-contacts.ts';
import type { Channel } from '../consent/consent.ts';
import { changesOf, contactKey } from '../consent/contact-log.ts';
import { addTo } from '../grouped.ts';
import type { Alias, Profile, Stamp, Stamped } from '../profile.ts';
import { type KeyKind, keyParts, tokenIdentity } from './identifier.ts';
import type { RankCandidate } from './prioritize.ts';

/** The members of a profile that finding a person needs. */
export interface Holder
  extends RankCandidate,
    Pick<Profile, 'ws' | 'email_key' | 'phone_key' | 'token_keys' | 'contacts' | 'absorbed'> {
  fields: { email?: Pick<Stamped, 'at' | 'since'>; phone?: Pick<Stamped, 'at' | 'since'> };
  aliases?: readonly Alias[];
}

type Reachable = Pick<Profile, 'ws' | 'email_key' | 'phone_key'>;

/** Identity keys of the email and the phone that a person has. */
export const currentContactKeysOf = ({ ws, email_key, phone_key }: Reachable): string[] => [
  ...(email_key === undefined ? [] : [contactKey(ws, 'email', email_key)]),
  ...(phone_key === undefined ? [] : [contactKey(ws, 'phone', phone_key)]),
];

/** Identity keys of the emails and phones that a person has had. */
export const formerContactKeysOf = ({ ws, contacts = [] }: Pick<Holder, 'ws' | 'contacts'>): string[] =>
  contacts.flatMap(({ c, v, of }) => (v === null || of !== undefined ? [] : contactKey(ws, c, v)));

export const tokenKeysOf = ({ ws, token_keys = [] }: Pick<Holder, 'ws' | 'token_keys'>): string[] =>
  token_keys.map((token) => tokenIdentity(ws, token));

/** Identity keys that find a person and that other people may share. */
export const sharedKeysOf = (person: Reachable & Pick<Holder, 'token_keys'>): string[] => [
  ...tokenKeysOf(person),
  ...currentContactKeysOf(person),
];

/** The channel and the value of a contact; `undefined` for a key of another kind. */
export const contactIn = (key: string): { ws: string; channel: Channel; value: string } | undefined => {
  const parts = keyParts(key);
  if (parts?.by !== 'email' && parts?.by !== 'phone') return undefined;
  return { ws: parts.ws, channel: parts.by, value: parts.value };
};

/** Where the store finds the people who have a contact or push token, or had it. */
const places: {
  readonly [By in KeyKind]?: readonly ('email_key' | 'phone_key' | 'contacts.v' | 'token_keys')[];
} = {
  email: ['email_key', 'contacts.v'],
  phone: ['phone_key', 'contacts.v'],
  push_token: ['token_keys'],
};

export const lookupsOf = (key: string) => {
  const parts = keyParts(key);
  if (!parts) return [];
  const { ws, value } = parts;
  return (places[parts.by] ?? []).map((by) => ({ ws, by, value }));
};

type HasContact = (person: Holder) => boolean;

/** The key is parsed once: thousands of people may share it. `test` is asked of a person, and whether they have the contact now. */
const ofContact = (
  key: string,
  test: (person: Holder, contact: { channel: Channel; value: string }, has: boolean) => boolean,
): HasContact => {
  const contact = contactIn(key);
  if (!contact) return () => false;
  const member = `${contact.channel}_key` as const;
  return (person) => test(person, contact, person[member] === contact.value);
};

/** Whether a person has this contact. */
export const hasContact = (key: string): HasContact => ofContact(key, (_person, _contact, has) => has);

/** Whether a person had this contact at a stamp. */
export const hadContact = (key: string, stamp: Stamp): HasContact =>
  ofContact(key, ({ fields, contacts }, { channel, value }, has) => {
    const own = contacts?.filter(({ c, of }) => c === channel && of === undefined) ?? [];
    if (own.length > 0) return own.findLast((change) => change.at <= stamp)?.v === value;
    return has && (fields[channel]?.since ?? fields[channel]?.at ?? 0) <= stamp;
  });

/** Whether a person has this contact from a merge: an absorbed person had it at the stamp, and the merge was accepted after the stamp. */
export const tookContact = (key: string, stamp: Stamp): HasContact =>
  ofContact(
    key,
    (person, { channel, value }, has) =>
      has &&
      absorbedIn(person).some(({ away, on }) => {
        const theirs = changesOf(person, away).filter(({ c, at }) => c === channel && at <= stamp);
        return on > stamp && theirs.at(-1)?.v === value;
      }),
  );

/** Service ids of people by the identity keys that they share. */
export const createHolders = () => {
  const holders = new Map<string, Set<string>>();

  return {
    add(id: string, keys: readonly string[]): void {
      for (const key of keys) addTo(holders, key, id);
    },

    remove(id: string, keys: readonly string[]): void {
      for (const key of keys) holders.get(key)?.delete(id);
    },

    of: (key: string): ReadonlySet<string> | undefined => holders.get(key),
  };
};
