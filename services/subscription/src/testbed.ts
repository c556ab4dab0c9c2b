/** For tests: people as track stores them, and requests as the ingress accepts them. */
import type { AcceptedRequest } from '@roster/contract';
import { type ConsentState, groupIn, type Profile } from '@roster/profile';
import type { Store } from '@roster/store';
import { accepted, aProfile, createReading, storeProfiles, type TestPerson } from '@roster/testkit';

type SubscriptionState = 'subscribed' | 'unsubscribed';

export const createTestbed = (store: Store, ws = 'demo') => {
  let clock = 1_700_000_000_000_000;
  let made = 0;
  const group = 'news';

  const nextStamp = (): number => {
    clock += 1000;
    return clock;
  };

  const { storedOf: profileOf, saidOf, consentsOf } = createReading(store, ws);

  const uniqueId = (): string => `person-${++made}`;
  const anEmail = (): string => `${++made}@b.co`;
  const storePeople = (people: readonly TestPerson[], at = nextStamp()): Promise<Profile[]> =>
    storeProfiles(
      store,
      people.map((person) => aProfile(`s${++made}-${at.toString(36)}`, at, person, ws)),
    );

  return {
    ...{ profileOf, saidOf, nextStamp, uniqueId, anEmail },
    store: storePeople,
    /** A person with an email and a phone. */
    async person() {
      const [id, email, phone] = [uniqueId(), anEmail(), `+1500555${String(clock).slice(-7, -3)}`];
      const [profile] = await storePeople([{ external_id: id, email, phone }]);
      return { id, email, phone, service: profile?._id ?? '' };
    },

    /** The state that counts for a person, by group. */
    statesOf: async (externalId: string): Promise<Record<string, ConsentState | null>> =>
      Object.fromEntries(Object.entries(await consentsOf(externalId)).map(([k, v]) => [groupIn(k) ?? k, v])),

    /** Oldest first. */
    async historyOf(externalId: string): Promise<[ConsentState | null, ConsentState | null, number][]> {
      const found = await store.consentHistory.find(ws, { by: 'external_id', id: externalId });
      return (found ?? []).toReversed().map(({ from, to, at }) => [from, to, at]);
    },

    /** Later requests are this much later. */
    pass(days: number): void {
      clock += days * 24 * 3600 * 1_000_000;
    },
    now: (): number => clock,

    v1(state: SubscriptionState, names: object, at = nextStamp()): AcceptedRequest {
      const sent = { subscription_group_id: group, subscription_state: state, ...names };
      return accepted('subscription.status.set', sent, at, ws);
    },
    v2(state: SubscriptionState, names: object, at = nextStamp()): AcceptedRequest {
      const sent = { subscription_group_id: group, subscription_state: state, ...names };
      return accepted('subscription.status.set.v2', { subscription_groups: [sent] }, at, ws);
    },
  };
};

/** Adds a group of text messages, `alerts`. */
export const addAlerts = ({ workspaces }: Store) =>
  workspaces.put({ id: 'demo', subscription_groups: [{ id: 'alerts', channel: 'sms' }] });
