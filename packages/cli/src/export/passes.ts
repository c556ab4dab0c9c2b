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

/** Who is in a pass. Everybody is in one of them. */
export const filterOf: Readonly<Record<Pass, object>> = {
  tokens: { ...nameless, email_key: absent, phone_key: absent },
  phone: { ...nameless, email_key: absent, phone_key: there },
  email: { ...nameless, email_key: there },
  named: { $or: [{ external_id: there }, { 'aliases.0': there }] },
};

/** By what the people of a pass are told apart; two who share all of it become one when they are imported. */
export const keysOf: Readonly<Record<Pass, (profile: Profile) => readonly string[]>> = {
  tokens: ({ token_keys = [] }) => token_keys,
  phone: ({ phone_key = '' }) => [phone_key],
  email: ({ email_key = '' }) => [email_key],
  named: () => [],
};

/** Where these keys are stored. */
export const placeOf: Readonly<Record<Pass, 'token_keys' | 'phone_key' | 'email_key' | undefined>> = {
  tokens: 'token_keys',
  phone: 'phone_key',
  email: 'email_key',
  named: undefined,
};
