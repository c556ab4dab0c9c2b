/** What a batch was told about the people it may be about, and what it still has to be told. */
import type { Fate } from '../fate.ts';
import { identityKey } from '../identifier.ts';
import type { Consent, ContactChange, Profile, Stamp, Stamped } from '../profile.ts';
import type { Candidate } from '../rank-candidates.ts';
import { tokenIdentity } from './item.ts';

/** As much of a profile as it takes to tell since when the person has an email or phone, and until when they had another. */
export interface Addressee {
  ws: string;
  email_key?: string;
  phone_key?: string;
  fields: { email?: Pick<Stamped, 'at' | 'since'>; phone?: Pick<Stamped, 'at' | 'since'> };
  /** Of people who have had several. */
  contacts?: ContactChange[];
}

/** As much of a profile as finding people takes. */
export interface Listed extends Candidate, Addressee {
  token_keys?: string[];
  absorbed?: string[];
  aliases?: readonly { label: string }[];
}

/** Whom an external id or alias leads to, since the request with this stamp. */
export interface Claim {
  profile: string;
  at: Stamp;
  /** When it last moved, with its people, to whoever they were merged into: whose it was until then, its tombstone tells. */
  moved?: Stamp;
}

export interface Known {
  /** External ids and aliases, by identity key. */
  claims: ReadonlyMap<string, Claim>;
  /** Everybody with one of the batch's emails, phones, service ids or imported tokens. */
  listed: ReadonlyMap<string, Listed>;
  /** Whole profiles, by service id. */
  profiles: ReadonlyMap<string, Profile>;
  /** How many bytes they take. */
  bytes: ReadonlyMap<string, number>;
  /** Service ids of those for whom the requests have no room. */
  unloaded: ReadonlySet<string>;
  /** Service ids that were looked for in vain. */
  absent: ReadonlySet<string>;
  /** Service ids whose profile was merged away, by identity key, with the service id of the kept profile. */
  merged: ReadonlyMap<string, string>;
  /** The last event or purchase, by service id. */
  activity: ReadonlyMap<string, Stamp>;
  /** What was said of emails and phones, by identity key; an empty list is known too. */
  contacts: ReadonlyMap<string, readonly Consent[]>;
  /** What became of those who had an identifier before, oldest first, by identity key; an empty list is known too. */
  fates: ReadonlyMap<string, readonly Fate[]>;
}

export const nothingKnown: Known = {
  claims: new Map(),
  listed: new Map(),
  profiles: new Map(),
  bytes: new Map(),
  unloaded: new Set(),
  absent: new Set(),
  merged: new Map(),
  activity: new Map(),
  contacts: new Map(),
  fates: new Map(),
};

/** What has to be loaded before the batch can be planned: service ids, and identity keys. */
export interface Needs {
  profiles: Set<string>;
  activity: Set<string>;
  contacts: Set<string>;
  fates: Set<string>;
}

export const noNeeds = (): Needs => ({
  profiles: new Set(),
  activity: new Set(),
  contacts: new Set(),
  fates: new Set(),
});

export const isNeedy = (needs: Needs): boolean =>
  Object.values(needs).some(({ size }: { size: number }) => size > 0);

export type AddressName = 'email' | 'phone';

export type Addressed = Pick<Listed, 'ws' | 'email_key' | 'phone_key' | 'token_keys'>;

/** The identity key of the email or phone that somebody has. */
export const addressOf = ({ ws, email_key, phone_key }: Addressed, name: AddressName): string | undefined => {
  if (name === 'email')
    return email_key === undefined ? undefined : identityKey(ws, { by: 'email', email: email_key });
  return phone_key === undefined ? undefined : identityKey(ws, { by: 'phone', phone: phone_key });
};

/** Of their email and of their phone, as far as they have one. */
export const addressKeysOf = (person: Addressed): string[] =>
  (['email', 'phone'] as const).flatMap((name) => addressOf(person, name) ?? []);

/** Whether an identity key is that of an email, or of a phone. */
export const isAddress = (key: string, name: AddressName): boolean =>
  key.split(':', 2)[1] === (name === 'email' ? 'm' : 'p');

/** The part of an identity key that is the email or phone itself. */
const valueIn = (key: string): string => key.slice(key.indexOf(':') + 3);

const isOwn = ({ of }: ContactChange): boolean => of === undefined;

const nameIn = (key: string): AddressName => (isAddress(key, 'email') ? 'email' : 'phone');

/** Who has this email or phone. Of thousands who share one, each is asked. */
export const hasAddress = (key: string): ((person: Addressee) => boolean) => {
  const [member, value] = [`${nameIn(key)}_key` as const, valueIn(key)];
  return (person) => person[member] === value;
};

/** Who had it at a stamp. */
export const hadAddress = (key: string, at: Stamp): ((person: Addressee) => boolean) => {
  const [name, value, has] = [nameIn(key), valueIn(key), hasAddress(key)];
  return (person) => {
    const { fields, contacts } = person;
    const own = contacts?.filter((change) => change.c === name && isOwn(change)) ?? [];
    if (own.length > 0) return own.findLast((change) => change.at <= at)?.v === value;
    return has(person) && (fields[name]?.since ?? fields[name]?.at ?? 0) <= at;
  };
};

/** Of the emails and phones that a person had before. */
export const formerKeysOf = ({ ws, contacts = [] }: Addressee): string[] =>
  contacts.flatMap(({ c, v, of }) =>
    v === null || of !== undefined ? [] : addressKeysOf({ ws, [`${c}_key`]: v }),
  );

/** Everything by which somebody is found that others may have too. */
export const sharedKeysOf = (person: Addressed): string[] => [
  ...(person.token_keys ?? []).map((token) => tokenIdentity(person.ws, token)),
  ...addressKeysOf(person),
];
