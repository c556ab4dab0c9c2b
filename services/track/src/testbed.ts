/** For tests: people of their own, requests with rising stamps, and the stored state of people. */
import type {
  AcceptedRequest,
  AttributeEntry,
  EventEntry,
  PurchaseEntry,
  TrackAccepted,
} from '@roster/contract';
import {
  type ConsentState,
  contactKeysOf,
  identityKey,
  type Profile,
  statesOf,
  visible,
} from '@roster/profile';
import { classify, type Store } from '@roster/store';
import type { Apply } from './apply.ts';

/** As the queue does: a passing error, such as a conflict that does not end, is tried again. */
export const insisting =
  (apply: Apply): Apply =>
  async (batch) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await apply(batch);
      } catch (error) {
        if (attempt >= 200 || !['passing', 'duplicate'].includes(classify(error))) throw error;
      }
    }
  };

export const time = '2025-06-01T12:00:00Z';

/** Reads the stored state of people. */
const createReading = (store: Store, ws: string) => {
  const claimOf = async (externalId: string): Promise<string | undefined> =>
    (await store.identities.findOne({ _id: `${ws}:e:${externalId}` }))?.profile;

  const storedOf = async (externalId: string): Promise<Profile> => {
    const found = await store.profiles.findOne({ _id: (await claimOf(externalId)) ?? '' });
    if (!found) throw new Error(`no person is ${externalId}`);
    return found;
  };

  /** In the order of acceptance. */
  const rowsOf = async <Row extends { profile: string; at: number; index: number }>(
    rows: { find(): Promise<Row[]> },
    externalId: string,
  ): Promise<Row[]> => {
    const profile = await claimOf(externalId);
    const theirs = (await rows.find()).filter((row) => row.profile === profile);
    return theirs.toSorted((a, b) => a.at - b.at || a.index - b.index);
  };

  return {
    claimOf,
    storedOf,
    profileOf: async (externalId: string) => visible(await storedOf(externalId)),
    eventsOf: (externalId: string) => rowsOf(store.events, externalId),
    purchasesOf: (externalId: string) => rowsOf(store.purchases, externalId),

    /** The statements about an email or phone. */
    async saidOf(by: 'email' | 'phone', value: string | undefined) {
      const key = identityKey(ws, by === 'email' ? { by, email: value ?? '' } : { by, phone: value ?? '' });
      return (await store.contacts.findOne({ _id: key }))?.consents ?? [];
    },

    /** The state that counts for a person, by register. */
    async consentsOf(externalId: string): Promise<Record<string, ConsentState | null>> {
      const profile = await storedOf(externalId);
      const contacts = await store.contactConsents.read(contactKeysOf(profile));
      return Object.fromEntries(statesOf(profile, contacts).map(({ k, v }) => [k, v]));
    },
  };
};

export const createTestbed = (store: Store, ws = 'demo') => {
  let clock = Date.now() * 1000;
  let people = 0;

  const request = (body: TrackAccepted, parts: Partial<AcceptedRequest> = {}): AcceptedRequest => {
    clock += 1;
    return { id: `r${clock.toString(36)}-01234567`, ws, op: 'users.track', at: clock, body, ...parts };
  };

  return {
    ...createReading(store, ws),
    /** Each test has people of its own. */
    uniqueId: (): string => {
      people += 1;
      return `person-${people}`;
    },
    /** Later requests are this much later. */
    pass(seconds: number): void {
      clock += seconds * 1_000_000;
    },
    now: (): number => clock,
    request,
    attributes: (...entries: AttributeEntry[]): AcceptedRequest => request({ attributes: entries }),
    events: (...entries: Partial<EventEntry>[]): AcceptedRequest =>
      request({ events: entries.map((entry) => ({ name: 'seen', time, ...entry })) }),
    purchases: (...entries: Partial<PurchaseEntry>[]): AcceptedRequest =>
      request({
        purchases: entries.map((entry) => ({ product_id: 'tea', currency: 'USD', price: 1, time, ...entry })),
      }),
  };
};
