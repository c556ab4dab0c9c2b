/** The keys of registers of consent: one for email, one for push, one for each subscription group. */

/** Consent belongs to an email, to a phone, or, for push, to the person. */
export type Channel = 'email' | 'phone';

const emailGroup = 'group:';

const smsGroup = 'sms:';

/** The register of a subscription group. */
export const groupKey = (id: string, channel: 'email' | 'sms' = 'email'): string =>
  `${channel === 'sms' ? smsGroup : emailGroup}${id}`;

/** The subscription group of a register. */
export const groupIn = (k: string): string | undefined =>
  [emailGroup, smsGroup].flatMap((prefix) => (k.startsWith(prefix) ? k.slice(prefix.length) : []))[0];

export const channelOf = (k: string): Channel | undefined => {
  if (k === 'email' || k.startsWith(emailGroup)) return 'email';
  return k.startsWith(smsGroup) ? 'phone' : undefined;
};
