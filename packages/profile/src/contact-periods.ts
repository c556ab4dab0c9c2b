/** The periods of the emails and phones of a person. By them a late request finds the contact of its time. */
import type { Channel } from './consent-keys.ts';
import { changesIn, channels, type Logged } from './contact-log.ts';
import { identityKey } from './identity-key.ts';
import type { Stamp } from './profile.ts';

/** The person had this contact from the first stamp up to the second; without a key: no contact. */
export interface ContactPeriod {
  /** Identity key of the email or phone. */
  key?: string;
  from: Stamp;
  until: Stamp;
}

/** The identity key of an email or phone. */
export const contactKey = (ws: string, c: Channel, v: string): string =>
  identityKey(ws, c === 'email' ? { by: 'email', email: v } : { by: 'phone', phone: v });

/** From the beginning of time to its end. */
export const contactPeriodsOf = (profile: Logged, c: Channel): ContactPeriod[] => {
  const all = changesIn(profile, c);
  const changes = all.filter(({ v }, place) => place === 0 || all[place - 1]?.v !== v);
  const first: ContactPeriod = {
    from: Number.NEGATIVE_INFINITY,
    until: changes[0]?.at ?? Number.POSITIVE_INFINITY,
  };
  return [
    first,
    ...changes.map(({ v, at }, place): ContactPeriod => {
      const until = changes[place + 1]?.at ?? Number.POSITIVE_INFINITY;
      return { ...(v !== null && { key: contactKey(profile.ws, c, v) }), from: at, until };
    }),
  ];
};

/** The email or phone that they had at a stamp, in its compared form. */
export const contactValueAt = (profile: Logged, c: Channel, stamp: Stamp, of?: string): string | undefined =>
  changesIn(profile, c, of).findLast((one) => one.at <= stamp)?.v ?? undefined;

/** The identity key of the contact that they had at a stamp; with `of`, of an absorbed person. */
export const contactAt = (profile: Logged, c: Channel, stamp: Stamp, of?: string): string | undefined => {
  const v = contactValueAt(profile, c, stamp, of);
  return v === undefined ? undefined : contactKey(profile.ws, c, v);
};

/** All contacts that they or the people merged into them have or had. */
export const contactKeysOf = (profile: Logged): string[] => {
  const { ws, contacts = [] } = profile;
  const own = channels.flatMap((c) => contactPeriodsOf(profile, c).flatMap(({ key }) => key ?? []));
  const absorbed = contacts.flatMap(({ c, v, of }) => (of && v !== null ? contactKey(ws, c, v) : []));
  return [...new Set([...own, ...absorbed])];
};
