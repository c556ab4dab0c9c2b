/** Work that takes its time, against leases of real seconds: judged in long runs. */
import { randomUUID } from 'node:crypto';
import { openLiquid } from '@roster/liquid';
import { identityKey, newProfile } from '@roster/profile';
import { until, useStore } from '@roster/testkit';
import { createFire } from './fire.ts';
import { startLanes } from './lanes.ts';
import { createSenderSettings } from './settings.ts';
import { noBudget, openFence, urls } from './testbed.ts';
import { createTurn, type TurnOptions } from './turn.ts';

const store = useStore();
const ws = 'demo';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const people = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    ...newProfile(`p${String(n).padStart(6, '0')}`, ws, 1),
    external_id: `u${n}`,
  }));

const schedule = (_id: string, recipients: object) => {
  const due = new Date();
  return {
    _id,
    ws,
    dispatch: randomUUID().replaceAll('-', ''),
    recipients: JSON.stringify(recipients),
    size: 1,
    messages: JSON.stringify({
      webhook: { url: 'https://example.com', request_method: 'POST', body: '{{x}}' },
    }),
    time: due.toISOString(),
    state: 'waiting',
    due,
    created: 1,
    changed: 1,
  } as const;
};

const start = (more: Partial<TurnOptions> & Pick<TurnOptions, 'lostAfterMs'>) => {
  const errors: unknown[] = [];
  const settingsOf = createSenderSettings(store);
  const liquid = openLiquid();
  const turns = createTurn({
    store,
    settingsOf,
    liquidOf: () => liquid,
    urls,
    hand: async () => ({ state: 'sent' }),
    fence: openFence,
    scanBudget: noBudget,
    on: { sent() {}, error: (error) => errors.push(error) },
    ...more,
  });
  const onError = (error: unknown) => errors.push(error);
  const lanes = startLanes({
    store,
    fire: createFire({ store, settingsOf }),
    turns,
    onConvicted() {},
    onError,
  });
  return { ...lanes, errors };
};

const ended = (_id: string) =>
  until(() => store.messages.schedules.findOne({ _id, ended: { $exists: true } }));

beforeEach(async () => {
  const { schedules, deliveries, sends } = store.messages;
  for (const collection of [store.profiles, schedules, deliveries, sends]) await collection.deleteMany({});
});

test('a template that takes its time for each person is sent all the same, a few people at a time', async () => {
  await store.profiles.insertMany(people(150));
  await store.messages.schedules.insertOne(schedule('costly', { broadcast: true }));
  const sizes: number[] = [];
  const sending = start({
    // A lease of 1.5 s: a page of 100 would take 2 s.
    lostAfterMs: 3_000,
    liquidOf: () => ({
      check: async () => ({ faults: [], includes: [], centers: [], states: [], names: [] }),
      render: async () => '',
      async renderSome({ variables }) {
        sizes.push(variables.length);
        await pause(variables.length * 20);
        return { rendered: variables.map(() => ['x']), steps: 1 };
      },
    }),
  });
  await until(async () => (await store.messages.schedules.findOne({ _id: 'costly' }))?.state === 'sent');
  await sending.stop();
  expect(sending.errors).toEqual([]);
  expect(await store.messages.sends.countDocuments({ state: 'sent' })).toBe(150);
  expect(Math.min(...sizes)).toBeLessThan(50);
});

test('a turn that takes too long leaves the rest to the next one, before anybody counts as lost', async () => {
  await store.workspaces.put({ id: ws, messaging: { resend_unknown: true } } as never);
  await store.profiles.insertMany(people(150));
  const asked: string[] = [];
  // The first 100 are asked at once. The others would be asked after 1.2 s, answer after 2.4 s, and count as lost after 2 s.
  const sending = start({
    lostAfterMs: 2_000,
    async hand(_ws, _channel, _to, { person: id }) {
      asked.push(id);
      await pause(1_200);
      return { state: 'sent' };
    },
  });
  const recipients = { external_user_ids: people(150).map(({ external_id }) => external_id) };
  await store.identities.deleteMany({});
  await store.identities.insertMany(
    people(150).map(({ _id, external_id }) => ({
      _id: identityKey(ws, { by: 'external_id', id: external_id }),
      profile: _id,
      at: 1,
    })),
  );
  // Three of one lane, so that one turn has more than a hundred.
  const all = [0, 1, 2].map((n) => schedule(`long-${n}`, recipients));
  await store.messages.schedules.insertMany(all);
  for (const { _id } of all) await ended(_id);
  await sending.stop();
  expect(sending.errors).toEqual([]);
  expect(asked).toHaveLength(450);
  expect(await store.messages.sends.countDocuments({ state: 'sent', tries: 1 })).toBe(450);
});
