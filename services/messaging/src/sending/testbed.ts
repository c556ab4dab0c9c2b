/** For tests: sends schedules to people with a hand of the test's. */
import { randomUUID } from 'node:crypto';
import { type Channels, createReadCredential } from '@roster/channels';
import { openLiquid } from '@roster/liquid';
import { identityKey, newProfile, type Profile } from '@roster/profile';
import type { ScheduleDocument, Store } from '@roster/store';
import { until, useStore } from '@roster/testkit';
import { createLinks } from '../links/link.ts';
import { createPageUrls } from '../links/page-urls.ts';
import type { Fence } from './fence.ts';
import { createFire } from './fire.ts';
import { createHand, type HandOptions } from './hand.ts';
import { startLanes } from './lanes.ts';
import type { ScanBudget } from './scans.ts';
import type { Hand } from './send-one.ts';
import { createSenderSettings } from './settings.ts';
import { createTurn, type TurnOptions } from './turn.ts';

export const ws = 'demo';

export const links = createLinks('a secret for tests only');
export const urls = createPageUrls({ links, base: 'https://preferences.example.com', days: 60 });

export const toWebhook = (body = 'x', url = 'https://example.com/') => ({
  webhook: { url, request_method: 'POST', body },
});
export const toEmail = { email: { app_id: 'shop', from: 'a@example.com', subject: 'Hi', body: 'Hello' } };

export const schedule = (messages: object, more: Partial<ScheduleDocument> = {}): ScheduleDocument => {
  const due = new Date();
  return {
    _id: randomUUID(),
    ws,
    dispatch: randomUUID().replaceAll('-', ''),
    recipients: JSON.stringify({ broadcast: true }),
    messages: JSON.stringify(messages),
    size: 1,
    time: due.toISOString(),
    state: 'waiting',
    due,
    created: 1,
    changed: 1,
    ...more,
  };
};

export const person = (n: number, more: Partial<Profile> = {}): Profile => ({
  ...newProfile(`p${n}`, ws, 1),
  external_id: `u${n}`,
  ...more,
});

/** So many without an email or phone. */
export const crowd = (count: number, of = ws, more: Partial<Profile> = {}): Profile[] =>
  Array.from({ length: count }, (_, n) => ({
    ...newProfile(`${of}-${String(n).padStart(4, '0')}`, of, 1),
    external_id: `${of}-${n}`,
    ...more,
  }));

export const email = (address: string) => ({ fields: { email: { v: address, at: 1 } }, email_key: address });

export const said = (k: string, v: 'unsubscribed' | 'opted_in' | 'subscribed') => ({
  consents: [{ k, v, at: 2 }],
});

/** Gives the same answer for everybody, after this. */
export const always =
  (answer: Awaited<ReturnType<Hand>>, after?: Promise<unknown>): Hand =>
  async () => {
    await after;
    return answer;
  };

/** Tells the ids of the messages that it was handed. */
export const noting = (hand = always({ state: 'sent' })) => {
  const ids: string[] = [];
  const noted: Hand = (ws, channel, address, message) => {
    ids.push(message.id);
    return hand(ws, channel, address, message);
  };
  return { ids, hand: noted };
};

/** The hand of the product. */
export const handWith = (
  store: Store,
  channels: Pick<Channels, 'send'>,
  readCredential = createReadCredential({ env: {} }),
  onOptedOut: HandOptions['onOptedOut'] = async () => 'applied',
): Hand =>
  createHand({
    channels,
    settingsOf: createSenderSettings(store),
    readCredential,
    onOptedOut,
    reportUrl: () => 'https://example.com/r',
    unsubscribeOf: () => ({ 'List-Unsubscribe': '<https://example.com/u>' }),
  });

/** Everything is applied. */
export const openFence: Fence = { stamp: async () => 1, passed: async () => true };

/** Liquid of which every text is `x`, written after this work. */
export const writingAfter = (work: (texts: number) => Promise<unknown>) => ({
  check: async () => ({ faults: [], includes: [], centers: [], states: [], names: [] }),
  render: async () => '',
  async renderSome({ variables }: { variables: readonly object[] }) {
    await work(variables.length);
    return { rendered: variables.map(() => ['x']), steps: 1 };
  },
});

/** All can be paid. */
export const noBudget: ScanBudget = { pay: async () => true, owe: async () => {} };

const startSending = (
  store: Store,
  liquid: ReturnType<typeof openLiquid>,
  hand: Hand,
  more: Partial<TurnOptions>,
) => {
  const settingsOf = createSenderSettings(store);
  const errors: unknown[] = [];
  const convicted: string[] = [];
  const givenBack: string[] = [];
  const onError = (error: unknown) => errors.push(error);
  const turns = createTurn({
    ...{ store, settingsOf, urls, hand, fence: openFence, scanBudget: noBudget },
    liquidOf: () => liquid,
    on: { givenBack: (reason) => givenBack.push(reason), sent() {}, error: onError },
    ...more,
  });
  const fire = createFire({ store, settingsOf });
  const onConvicted = (id: string) => convicted.push(id);
  return { ...startLanes({ store, fire, turns, onConvicted, onError }), errors, convicted, givenBack };
};

const createSchedules = (store: Store) => {
  const ended = (_id: string): Promise<ScheduleDocument> =>
    until(() => store.messages.schedules.findOne({ _id, ended: { $exists: true } }));

  /** Stores a schedule, for what is started to send it. */
  const add = async (...given: Parameters<typeof schedule>): Promise<ScheduleDocument> => {
    const one = schedule(...given);
    await store.messages.schedules.insertOne(one);
    return one;
  };

  /** Ends when so many schedules of the same messages have come to their end. */
  const addAll = async (count: number, ...given: Parameters<typeof schedule>): Promise<void> => {
    const all = Array.from({ length: count }, () => schedule(...given));
    await store.messages.schedules.insertMany(all);
    for (const { _id } of all) await ended(_id);
  };

  return { ended, add, addAll };
};

/** For the tests of a file: each begins with no people, no settings, and with nothing that was sent. What it starts is stopped, and must have told no error. */
export const useSending = () => {
  const store = useStore();
  const { ended, add, addAll } = createSchedules(store);
  const liquid = openLiquid();
  /** What a failed test leaves behind would take the work of the next one. */
  const started: ReturnType<typeof startSending>[] = [];
  /** Everything that was started has come to its end: nothing more is sent. */
  const settled = async (): Promise<void> => {
    const all = started.splice(0);
    await Promise.all(all.map((one) => one.stop()));
    expect(all.flatMap(({ errors }) => errors)).toEqual([]);
  };
  afterEach(settled);

  const withSettings = (more: object) => store.workspaces.put({ id: ws, name: 'Demo', ...more });
  afterEach(() => withSettings({}));

  const start = (hand: Hand, more: Partial<TurnOptions> = {}) => {
    const sending = startSending(store, liquid, hand, more);
    started.push(sending);
    return sending;
  };

  beforeEach(async () => {
    const { schedules, deliveries, sends } = store.messages;
    for (const collection of [store.profiles, store.identities, schedules, deliveries, sends])
      await collection.deleteMany({});
  });

  /** By this external id. */
  const claim = (id: string, profile: string) =>
    store.identities.insertOne({ _id: identityKey(ws, { by: 'external_id', id }), profile, at: 1 });

  const rows = async () =>
    Object.fromEntries(
      (await store.messages.sends.find({}).sort({ _id: 1 }).toArray()).map(
        ({ profile, named, state, reason }) => [
          profile || named,
          reason === undefined ? state : `${state}: ${reason}`,
        ],
      ),
    );

  const run = async (
    hand: Hand,
    one: ScheduleDocument,
    more: Partial<TurnOptions> = {},
  ): Promise<ScheduleDocument> => {
    const sending = start(hand, more);
    await store.messages.schedules.insertOne(one);
    try {
      return await ended(one._id);
    } finally {
      await sending.stop();
    }
  };

  /** What waits for another try need not wait for its pause. */
  const tryNow = async (): Promise<void> => {
    const { sends, deliveries } = store.messages;
    await sends.updateMany({ state: 'waiting' }, { $set: { due: new Date() } });
    await deliveries.updateMany({ due: { $exists: true } }, { $set: { due: new Date() } });
  };

  return { store, start, ended, settled, rows, add, addAll, run, tryNow, claim, withSettings };
};
