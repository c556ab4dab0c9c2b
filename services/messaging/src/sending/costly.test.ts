import { randomUUID } from 'node:crypto';
import { newProfile } from '@roster/profile';
import { useStore } from '@roster/testkit';
import { createFire } from './fire.ts';
import { startLanes } from './lanes.ts';
import { createSenderSettings } from './settings.ts';
import { createTurn } from './turn.ts';

const store = useStore();
const ws = 'demo';

test('a template that takes its time for each person is sent all the same, a few people at a time', async () => {
  const people = 150;
  await store.profiles.insertMany(Array.from({ length: people }, (_, n) => newProfile(`p${n}`, ws, 1)));
  const due = new Date();
  await store.messages.schedules.insertOne({
    _id: 'costly',
    ws,
    dispatch: randomUUID(),
    recipients: '{"broadcast":true}',
    size: 1,
    messages: JSON.stringify({
      webhook: { url: 'https://example.com', request_method: 'POST', body: '{{x}}' },
    }),
    time: due.toISOString(),
    state: 'waiting',
    due,
    created: 1,
    changed: 1,
  });
  const errors: unknown[] = [];
  const sizes: number[] = [];
  const settingsOf = createSenderSettings(store);
  const turn = createTurn({
    store,
    settingsOf,
    // A lease of 1.5 s: a page of 100 would take 2 s.
    lostAfterMs: 3_000,
    liquidOf: () => ({
      check: async () => ({ faults: [], includes: [] }),
      render: async () => '',
      async renderEach({ variables }) {
        sizes.push(variables.length);
        await new Promise((resolve) => setTimeout(resolve, variables.length * 20));
        return variables.map(() => ['x']);
      },
    }),
    hand: async () => ({ state: 'sent' }),
    fresh: async () => true,
    on: { sent() {}, error: (error) => errors.push(error) },
  });
  const onError = (error: unknown) => errors.push(error);
  const lanes = startLanes({ store, fire: createFire({ store, settingsOf }), turn, onError });
  while ((await store.messages.schedules.findOne({ _id: 'costly' }))?.state !== 'sent')
    await new Promise((resolve) => setTimeout(resolve, 50));
  await lanes.stop();
  expect(errors).toEqual([]);
  expect(await store.messages.sends.countDocuments({ state: 'sent' })).toBe(people);
  expect(Math.min(...sizes)).toBeLessThan(50);
});
