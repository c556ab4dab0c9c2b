/** For tests: people as track stores them, and requests as the ingress accepts them. */
import type { AcceptedRequest, OperationId } from '@roster/contract';
import { type ConsentState, identityKey, type Profile } from '@roster/profile';
import type { Store } from '@roster/store';
import {
  accepted,
  anEvent,
  aProfile,
  createReading,
  later,
  storeProfiles,
  type TestPerson,
  useStore,
} from '@roster/testkit';
import { createApply, type Entries } from './apply.ts';

let last = 1_700_000_000_000_000;
/** Later than all before. */
export const nextStamp = (): number => {
  last += 1000;
  return last;
};

export const takeStamp = async (): Promise<number> => nextStamp();

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

/** Of pairs of external ids: the one that goes away, and the kept one. */
export const mergeRequest = (...pairs: [away: string, kept: string][]) =>
  request('users.merge', { merge_updates: pairs.map((pair) => merging(...pair)) });

export const event = (profile: string, name: string, at = nextStamp()) =>
  anEvent(profile, { name, at, time: new Date(at / 1000) });

/** A store for the tests of a file (if none is given), and the function of the worker on it. */
export const useIdentity = (store = useStore()) => {
  const apply = later(() => createApply({ store, takeStamp }));
  const people = <Some extends TestPerson[]>(...some: Some) => storePeople<Some>(store, some);
  return {
    ...createReading(store),
    store,
    apply,
    people,
    person: async (one: TestPerson): Promise<Profile> => (await people(one))[0],
    send: async (...sent: Parameters<typeof request>): Promise<Entries> =>
      (await apply([request(...sent)]))[0]?.entries ?? {},
  };
};
