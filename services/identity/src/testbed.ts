/** For tests: people as track stores them, and requests as the ingress accepts them. */
import type { AcceptedRequest, OperationId } from '@roster/contract';
import { type ConsentState, identityKey, type Profile } from '@roster/profile';
import type { Store } from '@roster/store';
import { accepted, anEvent, aProfile, storeProfiles, type TestPerson } from '@roster/testkit';

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

export const profileOf = (person: TestPerson, at = nextStamp()): Profile =>
  aProfile(at.toString(16).padEnd(24, '0'), at, person);

/** Many at once, with their claims; of each its profile. */
export const storePeople = async <People extends readonly TestPerson[]>(
  store: Store,
  people: readonly [...People],
) => {
  const profiles = people.map((person) => profileOf(person));
  return (await storeProfiles(store, profiles)) as { [Place in keyof People]: Profile };
};

/** The statement about an email that is stored. */
export const sayOf = async ({ contacts }: Store, email: string, v: ConsentState = 'opted_in', at = 1) => {
  const _id = identityKey('demo', { by: 'email', email });
  await contacts.insertOne({ _id, ws: 'demo', consents: [{ k: 'email', v, at }] });
  return _id;
};

/** By external ids. */
export const merging = (away: string, kept: string) => ({
  identifier_to_merge: { external_id: away },
  identifier_to_keep: { external_id: kept },
});

export const event = (profile: string, name: string, at = nextStamp()) =>
  anEvent(profile, { name, at, time: new Date(at / 1000) });
