/** For tests: people as track stores them, and requests as the ingress accepts them. */
import type { AcceptedRequest } from '@roster/contract';
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
import { accepted } from '@roster/testkit';

export type SubscriptionState = 'subscribed' | 'unsubscribed';

export interface TestPerson {
  external_id?: string;
  email?: string;
  phone?: string;
}

/** A person as a track worker stores them. */
const stored = (base: Profile, { external_id, email, phone }: TestPerson): Profile => {
  const at = base.created_at;
  return {
    ...base,
    ...(external_id !== undefined && { external_id }),
    ...(email !== undefined && { email_key: emailKey(email) }),
    ...(phone !== undefined && { phone_key: phone }),
    fields: {
      ...base.fields,
      ...(email !== undefined && { email: { v: email, at } }),
      ...(phone !== undefined && { phone: { v: phone, at } }),
    },
  };
};

/** Reads the stored state of people. */
const createReading = (store: Store, ws: string) => {
  const profileOf = async (externalId: string): Promise<Profile> => {
    const key = identityKey(ws, { by: 'external_id', id: externalId });
    const claim = await store.identities.findOne({ _id: key });
    const profile = await store.profiles.findOne({ _id: claim?.profile ?? '' });
    if (!profile) throw new Error(`no person is ${externalId}`);
    return profile;
  };

  return {
    profileOf,

    /** The statements about an email or phone. */
    async saidOf(contact: string) {
      const isEmail = contact.includes('@');
      const key = identityKey(
        ws,
        isEmail ? { by: 'email', email: contact } : { by: 'phone', phone: contact },
      );
      return (await store.contacts.findOne({ _id: key }))?.consents ?? [];
    },

    /** The state that counts for a person, by group. */
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

const storePeople = async (store: Store, profiles: Profile[]): Promise<Profile[]> => {
  const claims = profiles.flatMap(({ _id, ws, external_id: id, created_at: at }) =>
    id === undefined ? [] : [{ _id: identityKey(ws, { by: 'external_id', id }), profile: _id, at }],
  );
  await store.profiles.insertMany(profiles);
  if (claims.length > 0) await store.identities.insertMany(claims);
  return profiles;
};

export const createTestbed = (store: Store, ws = 'demo') => {
  let clock = 1_700_000_000_000_000;
  let made = 0;
  const group = 'news';

  const nextStamp = (): number => {
    clock += 1000;
    return clock;
  };

  return {
    ...createReading(store, ws),
    nextStamp,
    /** Later requests are this much later. */
    pass(days: number): void {
      clock += days * 24 * 3600 * 1_000_000;
    },
    now: (): number => clock,
    uniqueId: (): string => `person-${++made}`,
    anEmail: (): string => `${++made}@b.co`,

    v1(state: SubscriptionState, names: object, at = nextStamp()): AcceptedRequest {
      const sent = { subscription_group_id: group, subscription_state: state, ...names };
      return accepted('subscription.status.set', sent, at, ws);
    },
    v2(state: SubscriptionState, names: object, at = nextStamp()): AcceptedRequest {
      const sent = { subscription_group_id: group, subscription_state: state, ...names };
      return accepted('subscription.status.set.v2', { subscription_groups: [sent] }, at, ws);
    },

    store: (people: readonly TestPerson[], at = nextStamp()): Promise<Profile[]> =>
      storePeople(
        store,
        people.map((person) => stored(newProfile(`s${++made}-${at.toString(36)}`, ws, at), person)),
      ),
  };
};

/** Adds a group of text messages, `alerts`. */
export const addAlerts = ({ workspaces }: Store) =>
  workspaces.put({ id: 'demo', subscription_groups: [{ id: 'alerts', channel: 'sms' }] });

export type SubscriptionTestbed = ReturnType<typeof createTestbed>;
