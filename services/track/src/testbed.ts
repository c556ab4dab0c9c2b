/** For tests: people of their own, requests with rising stamps, and the stored state of people. */
import type {
  AcceptedRequest,
  AttributeEntry,
  EventEntry,
  PurchaseEntry,
  TrackAccepted,
} from '@roster/contract';
import { visible } from '@roster/profile';
import { classify, type Store } from '@roster/store';
import { createReading } from '@roster/testkit';
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
const createTrackReading = (store: Store, ws: string) => {
  const reading = createReading(store, ws);

  /** In the order of acceptance. */
  const rowsOf = async <Row extends { profile: string; at: number; index: number }>(
    rows: { find(): Promise<Row[]> },
    externalId: string,
  ): Promise<Row[]> => {
    const profile = await reading.claimOf(externalId);
    const theirs = (await rows.find()).filter((row) => row.profile === profile);
    return theirs.toSorted((a, b) => a.at - b.at || a.index - b.index);
  };

  return {
    ...reading,
    profileOf: async (externalId: string) => visible(await reading.storedOf(externalId)),
    eventsOf: (externalId: string) => rowsOf(store.events, externalId),
    purchasesOf: (externalId: string) => rowsOf(store.purchases, externalId),
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
    ...createTrackReading(store, ws),
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
