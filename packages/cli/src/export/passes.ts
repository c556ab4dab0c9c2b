/**
 * In which order people are written. Whoever can be named by an address only comes first: when they are imported nobody else has it
 * yet, so it is theirs. After them come those with a name of their own, who may have the same address.
 */
import type { Profile } from '@roster/profile';

export const passes = ['tokens', 'phone', 'email', 'named'] as const;
export type Pass = (typeof passes)[number];

const there = { $exists: true };
const absent = { $exists: false };
const nameless = { external_id: absent, 'aliases.0': absent };

interface Rule {
  /** Who is in the pass. Everybody is in one of them. */
  filter: object;
  /** Where the keys are stored by which the people of the pass are told apart. */
  place?: 'token_keys' | 'phone_key' | 'email_key';
  /** These keys; two who share all of them become one when they are imported. */
  keys(profile: Profile): readonly string[];
}

export const ruleOf: Readonly<Record<Pass, Rule>> = {
  tokens: {
    filter: { ...nameless, email_key: absent, phone_key: absent },
    place: 'token_keys',
    keys: ({ token_keys = [] }) => token_keys,
  },
  phone: {
    filter: { ...nameless, email_key: absent, phone_key: there },
    place: 'phone_key',
    keys: ({ phone_key = '' }) => [phone_key],
  },
  email: {
    filter: { ...nameless, email_key: there },
    place: 'email_key',
    keys: ({ email_key = '' }) => [email_key],
  },
  named: { filter: { $or: [{ external_id: there }, { 'aliases.0': there }] }, keys: () => [] },
};
