/** For tests: sends schedules to people with a hand of the test's. */
import { randomUUID } from 'node:crypto';
import { openLiquid } from '@roster/liquid';
import { newProfile, type Profile } from '@roster/profile';
import type { DeliveryDocument, ScheduleDocument } from '@roster/store';
import { until, useStore } from '@roster/testkit';
import { createLinks } from '../links/link.ts';
import { createPageUrls } from '../links/page-urls.ts';
import type { Fence } from './fence.ts';
import { createFire } from './fire.ts';
import { startLanes } from './lanes.ts';
import type { ScanBudget } from './scans.ts';
import type { Hand } from './send-one.ts';
import { createSenderSettings } from './settings.ts';
import { createTurn, type TurnOptions } from './turn.ts';

export const ws = 'demo';

export const links = createLinks('a secret for tests only');
export const urls = createPageUrls({ links, base: 'https://preferences.example.com', days: 60 });

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

export const email = (address: string) => ({ fields: { email: { v: address, at: 1 } }, email_key: address });

export const said = (k: string, v: 'unsubscribed' | 'opted_in' | 'subscribed') => ({
  consents: [{ k, v, at: 2 }],
});

export const delivery = (more: Partial<DeliveryDocument> = {}): DeliveryDocument => {
  const { ws: of = ws, channel = 'webhook' } = more;
  return {
    _id: `${of}/${channel}`,
    ws: of,
    lane: `${of}/${channel}`,
    channel,
    recipients: '{}',
    time: '',
    created: 1,
    dispatch: of,
    schedule: of,
    message: '{}',
    read: false,
    counts: { waiting: 0, sending: 0, sent: 0, refused: 0, skipped: 0, unknown: 0 },
    due: new Date(0),
    began: new Date(0),
    planned: new Date(0),
    ...more,
  };
};

export const always =
  (answer: Awaited<ReturnType<Hand>>): Hand =>
  async () =>
    answer;

/** Everything is applied. */
export const openFence: Fence = { stamp: async () => 1, passed: async () => true };

/** All can be paid. */
export const noBudget: ScanBudget = { pay: async () => true, owe: async () => {} };

/** For the tests of a file: each begins with no people, and with nothing that was sent. */
export const useSending = () => {
  const store = useStore();
  const liquid = openLiquid();
  /** What a failed test leaves behind would take the work of the next one. */
  const started: { stop(): Promise<void> }[] = [];
  afterEach(() => Promise.all(started.splice(0).map((one) => one.stop())));

  const start = (hand: Hand, more: Partial<TurnOptions> = {}) => {
    const settingsOf = createSenderSettings(store);
    const errors: unknown[] = [];
    const convicted: string[] = [];
    const turns = createTurn({
      store,
      settingsOf,
      liquidOf: () => liquid,
      urls,
      hand,
      fence: openFence,
      scanBudget: noBudget,
      on: { sent() {}, error: (error) => errors.push(error) },
      ...more,
    });
    const lanes = startLanes({
      store,
      fire: createFire({ store, settingsOf }),
      turns,
      onConvicted: (id) => convicted.push(id),
      onError: (error) => errors.push(error),
    });
    started.push(lanes);
    return { ...lanes, errors, convicted };
  };

  const ended = (_id: string): Promise<ScheduleDocument> =>
    until(() => store.messages.schedules.findOne({ _id, ended: { $exists: true } }));

  beforeEach(async () => {
    const { schedules, deliveries, sends } = store.messages;
    for (const collection of [store.profiles, schedules, deliveries, sends]) await collection.deleteMany({});
  });

  const rows = async () =>
    Object.fromEntries(
      (await store.messages.sends.find({}).sort({ _id: 1 }).toArray()).map(({ profile, state, reason }) => [
        profile,
        reason === undefined ? state : `${state}: ${reason}`,
      ]),
    );

  const run = async (hand: Hand, one: ScheduleDocument): Promise<ScheduleDocument> => {
    const sending = start(hand);
    await store.messages.schedules.insertOne(one);
    try {
      return await ended(one._id);
    } finally {
      await sending.stop();
      expect(sending.errors).toEqual([]);
    }
  };

  /** Until they are put anew. */
  const withSettings = (more: object) => store.workspaces.put({ id: ws, name: 'Demo', ...more });

  return { store, start, ended, rows, run, withSettings };
};
