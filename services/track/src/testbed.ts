/** For tests: people of their own, requests with rising stamps, and the stored state of people. */
import type {
  AcceptedRequest,
  AttributeEntry,
  EventEntry,
  Outcome,
  PurchaseEntry,
  TrackAccepted,
} from '@roster/contract';
import { shownAttributes } from '@roster/profile';
import { classify, type Store } from '@roster/store';
import { createReading, later, useStore } from '@roster/testkit';
import { type Apply, createApply, type TrackApplyOptions } from './apply.ts';

/** As the queue does: a passing error, such as a conflict that does not end, is tried again. */
export const insisting =
  (apply: Apply) =>
  async (batch: readonly AcceptedRequest[]): ReturnType<Apply> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await apply(batch);
      } catch (error) {
        if (attempt >= 200 || !['passing', 'duplicate'].includes(classify(error))) throw error;
      }
    }
  };

export const entriesOf = (outcome: Outcome | undefined) => (outcome ? outcome.entries : 'later');

export const time = '2025-06-01T12:00:00Z';

interface Sent extends Pick<TrackAccepted, 'attributes'> {
  events?: readonly (Partial<EventEntry> | string)[];
  purchases?: readonly (Partial<PurchaseEntry> | string)[];
}

const anEntry = { name: 'seen', time };
const aPurchaseEntry = { product_id: 'tea', currency: 'USD', price: 1, time };

const filled = <Entry extends object>(usual: Entry, entries: readonly (Partial<Entry> | string)[]) =>
  entries.map((entry) => (typeof entry === 'string' ? entry : { ...usual, ...entry }));

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

  const profileOf = async (externalId: string) => {
    const stored = await reading.storedOf(externalId);
    return { ...stored, custom_attributes: shownAttributes(stored) };
  };
  const eventsOf = (externalId: string) => rowsOf(store.events, externalId);
  const purchasesOf = (externalId: string) => rowsOf(store.purchases, externalId);

  return {
    ...reading,
    profileOf,
    eventsOf,
    purchasesOf,
    /** Of custom attributes, events and purchases. */
    async countOf(externalId: string): Promise<number> {
      const { custom_attributes } = await profileOf(externalId);
      const rows = await Promise.all([eventsOf(externalId), purchasesOf(externalId)]);
      return Object.keys(custom_attributes).length + rows.flat().length;
    },
    /** As after a merge of this profile into the person. */
    async absorb(externalId: string, profile: string): Promise<void> {
      const _id = (await reading.claimOf(externalId)) ?? '';
      await store.profiles.updateOne({ _id }, { $set: { absorbed: [profile] } });
    },
  };
};

export const createTestbed = (store: Store, ws = 'demo') => {
  let clock = Date.now() * 1000;
  let people = 0;

  /** What its events and purchases leave out is the usual. */
  const request = (
    { events, purchases, ...rest }: Sent,
    parts: Partial<AcceptedRequest> = {},
  ): AcceptedRequest => {
    clock += 1;
    const body: TrackAccepted = {
      ...rest,
      ...(events && { events: filled<EventEntry>(anEntry, events) }),
      ...(purchases && { purchases: filled<PurchaseEntry>(aPurchaseEntry, purchases) }),
    };
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
    attributes: (...attributes: AttributeEntry[]): AcceptedRequest => request({ attributes }),
    events: (...events: Partial<EventEntry>[]): AcceptedRequest => request({ events }),
    purchases: (...purchases: Partial<PurchaseEntry>[]): AcceptedRequest => request({ purchases }),
  };
};

/** A store for the tests of a file, and the function of the worker on it. */
export const useTrack = (options: Partial<TrackApplyOptions> = {}) => {
  const store = useStore();
  const apply = later(() => createApply({ store, ...options }));
  const bed = createTestbed(store);

  /** One request a batch. The outcome of the last one. */
  const inTurn = async (...requests: AcceptedRequest[]): Promise<Outcome | undefined> => {
    let last: Outcome | undefined;
    for (const request of requests) [last] = await apply([request]);
    return last;
  };

  return {
    store,
    apply,
    inTurn,
    ...bed,
    /** In one request; the results of its entries. */
    track: async (...entries: AttributeEntry[]) =>
      (await inTurn(bed.attributes(...entries)))?.entries?.attributes,
  };
};
