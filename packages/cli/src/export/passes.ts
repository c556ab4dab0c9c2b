/**
 * The order in which people are written. People with only a contact come first: when they are imported no other person has it
 * yet, so it is theirs. After them come people with an external id or alias, who may have the same contact.
 */
export const passes = ['tokens', 'phone', 'email', 'named'] as const;
export type Pass = (typeof passes)[number];

const there = { $exists: true };
const absent = { $exists: false };
const nameless = { external_id: absent, 'aliases.0': absent };

interface Rule {
  /** The people of the pass. Each person is in one pass. */
  filter: object;
  /** The member with the keys that tell the people of the pass apart; two people who share all of them become one when they are imported. */
  place?: 'token_keys' | 'phone_key' | 'email_key';
}

export const ruleOf: Readonly<Record<Pass, Rule>> = {
  tokens: { filter: { ...nameless, email_key: absent, phone_key: absent }, place: 'token_keys' },
  phone: { filter: { ...nameless, email_key: absent, phone_key: there }, place: 'phone_key' },
  email: { filter: { ...nameless, email_key: there }, place: 'email_key' },
  named: { filter: { $or: [{ external_id: there }, { 'aliases.0': there }] } },
};
