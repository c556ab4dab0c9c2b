/** Whether a person has, or had, a contact. */
import { absorbedIn } from './absorbed-people.ts';
import type { Channel } from './consent-keys.ts';
import { changesOf } from './contact-log.ts';
import type { Holder } from './holder-keys.ts';
import { keyParts } from './identity-key.ts';
import type { Stamp } from './profile.ts';

/** The channel and the value of a contact; `undefined` for a key of another kind. */
export const contactIn = (key: string): { ws: string; channel: Channel; value: string } | undefined => {
  const parts = keyParts(key);
  if (parts?.by !== 'email' && parts?.by !== 'phone') return undefined;
  return { ws: parts.ws, channel: parts.by, value: parts.value };
};

type HasContact = (person: Holder) => boolean;

const hasNone: HasContact = () => false;

const having = (channel: Channel, value: string): HasContact => {
  const member = `${channel}_key` as const;
  return (person) => person[member] === value;
};

/** Whether a person has this contact. The key is parsed once: thousands of people may share it. */
export const hasContact = (key: string): HasContact => {
  const contact = contactIn(key);
  return contact ? having(contact.channel, contact.value) : hasNone;
};

/** Whether a person had this contact at a stamp. */
export const hadContact = (key: string, stamp: Stamp): HasContact => {
  const contact = contactIn(key);
  if (!contact) return hasNone;
  const { channel, value } = contact;
  const has = having(channel, value);
  return (person) => {
    const { fields, contacts } = person;
    const own = contacts?.filter(({ c, of }) => c === channel && of === undefined) ?? [];
    if (own.length > 0) return own.findLast((change) => change.at <= stamp)?.v === value;
    return has(person) && (fields[channel]?.since ?? fields[channel]?.at ?? 0) <= stamp;
  };
};

/** Whether a person has this contact because of a later merge: at the stamp, a person merged into them since had it. */
export const tookContact = (key: string, stamp: Stamp): HasContact => {
  const contact = contactIn(key);
  if (!contact) return hasNone;
  const { channel, value } = contact;
  const has = having(channel, value);
  return (person) =>
    has(person) &&
    absorbedIn(person).some(({ away, on }) => {
      const theirs = changesOf(person, away).filter(({ c, at }) => c === channel && at <= stamp);
      return on > stamp && theirs.at(-1)?.v === value;
    });
};
