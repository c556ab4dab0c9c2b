/** For tests: people as they would have been stored, and requests as they would have been accepted. */
import { type AcceptedRequest, createJudge, type JudgeSettings, operationById } from '@roster/contract';
import {
  type ConsentState,
  contactKeysOf,
  emailKey,
  groupIn,
  identityKey,
  newProfile,
  type Profile,
  statesOf,
} from '@roster/profile';
import type { Store } from '@roster/store';

const judge = createJudge();
const settings: JudgeSettings = {
  maxUpdates: 50,
  blockedExternalIds: new Set(),
  suspiciousExternalIds: new Set(),
  groups: new Map([
    ['news', 'email'],
    ['alerts', 'sms'],
  ]),
  apps: new Set(),
};

export type State = 'subscribed' | 'unsubscribed';

export interface Person {
  external_id?: string;
  email?: string;
  phone?: string;
}

export const createTestbed = (store: Store, ws = 'demo') => {
  let clock = 1_700_000_000_000_000;
  let made = 0;

  const nextStamp = (): number => {
    clock += 1000;
    return clock;
  };

  const set = (
    op: 'subscription.status.set' | 'subscription.status.set.v2',
    sent: object,
    at = nextStamp(),
  ): AcceptedRequest => {
    const operation = operationById(op);
    if (!operation) throw new Error(`no operation ${op}`);
    const verdict = judge(operation, { body: sent }, settings);
    if (!verdict.ok) throw verdict.rejection;
    return { id: `r${at.toString(36)}-00000000`, ws, op, at, body: verdict.accepted.body };
  };

  const claim = (externalId: string): string => identityKey(ws, { by: 'external_id', id: externalId });

  const profileOf = async (externalId: string): Promise<Profile> => {
    const found = await store.identities.findOne({ _id: claim(externalId) });
    const profile = await store.profiles.findOne({ _id: found?.profile ?? '' });
    if (!profile) throw new Error(`nobody is ${externalId}`);
    return profile;
  };

  const saidOf = async (name: string) => {
    const key = identityKey(
      ws,
      name.includes('@') ? { by: 'email', email: name } : { by: 'phone', phone: name },
    );
    return (await store.contacts.findOne({ _id: key }))?.consents ?? [];
  };

  return {
    nextStamp,
    /** Later requests are this much later. */
    pass(days: number): void {
      clock += days * 24 * 3600 * 1_000_000;
    },
    now: (): number => clock,
    somebody: (): string => `person-${++made}`,
    anEmail: (): string => `${++made}@b.co`,

    v1: (state: State, names: object, at?: number) =>
      set(
        'subscription.status.set',
        { subscription_group_id: 'news', subscription_state: state, ...names },
        at,
      ),
    v2: (state: State, names: object, at?: number) =>
      set(
        'subscription.status.set.v2',
        {
          subscription_groups: [{ subscription_group_id: 'news', subscription_state: state, ...names }],
        },
        at,
      ),

    async store(people: readonly Person[], at = nextStamp()): Promise<Profile[]> {
      const profiles = people.map(({ external_id, email, phone }): Profile => {
        const profile = newProfile(`s${++made}-${at.toString(36)}`, ws, at);
        if (external_id !== undefined) profile.external_id = external_id;
        if (email !== undefined) {
          profile.fields.email = { v: email, at };
          profile.email_key = emailKey(email);
        }
        if (phone !== undefined) {
          profile.fields.phone = { v: phone, at };
          profile.phone_key = phone;
        }
        return profile;
      });
      const claims = profiles.flatMap(({ _id, external_id }) =>
        external_id === undefined ? [] : [{ _id: claim(external_id), profile: _id, at }],
      );
      await store.profiles.insertMany(profiles);
      if (claims.length > 0) await store.identities.insertMany(claims);
      return profiles;
    },

    profileOf,
    saidOf,

    /** What counts for somebody, by group. */
    async statesOf(externalId: string): Promise<Record<string, ConsentState | null>> {
      const profile = await profileOf(externalId);
      const contacts = await store.contactConsents.read(contactKeysOf(profile));
      return Object.fromEntries(statesOf(profile, contacts).map(({ k, v }) => [groupIn(k) ?? k, v]));
    },

    /** Oldest first. */
    async historyOf(externalId: string): Promise<[ConsentState | null, ConsentState | null, number][]> {
      const found = await store.consentHistory.find(ws, { by: 'external_id', id: externalId });
      return (found ?? []).toReversed().map(({ from, to, at }) => [from, to, at]);
    },
  };
};

export type Testbed = ReturnType<typeof createTestbed>;
