/** For tests: people as track stores them, and requests as the ingress accepts them. */
import type { AcceptedRequest, OperationId } from '@roster/contract';
import { emailKey, identityKey, newProfile, type Profile } from '@roster/profile';
import type { Store } from '@roster/store';
import { accepted } from '@roster/testkit';

let last = 1_700_000_000_000_000;
/** Later than all before. */
export const nextStamp = (): number => {
  last += 1000;
  return last;
};

let made = 0;
export const uniqueId = (): string => `person-${++made}`;

export const request = (op: OperationId, body: unknown, at = nextStamp()): AcceptedRequest => ({
  ...accepted(op, body, at),
  reply: 'here',
});

export interface TestPerson {
  external_id?: string;
  /** Label and name. */
  aliases?: Record<string, string>;
  email?: string;
  phone?: string;
  more?: Partial<Profile>;
}

const stamped = (v: string, at: number) => ({ v, at });

export const profileOf = ({ external_id, aliases, email, phone, more }: TestPerson, at = nextStamp()) => {
  const profile = newProfile(at.toString(16).padEnd(24, '0'), 'demo', at);
  if (external_id !== undefined) profile.external_id = external_id;
  if (aliases) profile.aliases = Object.entries(aliases).map(([label, name]) => ({ label, name }));
  if (email !== undefined) {
    profile.fields.email = stamped(email, at);
    profile.email_key = emailKey(email);
  }
  if (phone !== undefined) {
    profile.fields.phone = stamped(phone, at);
    profile.phone_key = phone;
  }
  return { ...profile, ...more };
};

export const claimsOf = ({ ws, external_id, former_ids = [], aliases = [] }: Profile): string[] => [
  ...(external_id === undefined ? [] : [external_id]).map((id) => identityKey(ws, { by: 'external_id', id })),
  ...former_ids.map((id) => identityKey(ws, { by: 'external_id', id })),
  ...aliases.map(({ label, name }) => identityKey(ws, { by: 'user_alias', label, name })),
];

/** Many at once, with their claims. */
export const storePeople = async (store: Store, people: readonly TestPerson[]): Promise<Profile[]> => {
  const profiles = people.map((person) => profileOf(person));
  const claims = profiles.flatMap((profile) =>
    claimsOf(profile).map((_id) => ({ _id, profile: profile._id, at: profile.created_at })),
  );
  await store.profiles.insertMany(profiles);
  if (claims.length > 0) await store.identities.insertMany(claims);
  return profiles;
};

export const event = (profile: string, name: string, at = nextStamp()) => ({
  request: `r${at}`,
  index: 0,
  ws: 'demo',
  profile,
  time: new Date(at / 1000),
  at,
  name,
});
