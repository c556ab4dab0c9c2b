import { always, person, schedule, useSending } from './testbed.ts';

const { store, run } = useSending();

const webhook = { webhook: { url: 'https://example.com/', request_method: 'POST' } };

const broadcastTo = (audience: object) =>
  schedule(webhook, { recipients: JSON.stringify({ broadcast: true, audience }) });

const counts = async () => (await store.messages.deliveries.findOne({}))?.counts;

it('a delivery ends with nobody whose audience an earlier version took, and which costs too much', async () => {
  const letters = { custom: [{ k: 'x', v: 'a'.repeat(255), at: 1 }] };
  await store.profiles.insertMany([person(1, letters), person(2, letters)]);
  const pattern = {
    custom_attribute: { custom_attribute_name: 'x', comparison: 'matches_regex', value: '(?:\\pL?){490}' },
  };
  const { state } = await run(always({ state: 'sent' }), broadcastTo({ OR: Array(99).fill(pattern) }));
  expect([state, await counts()]).toMatchObject(['sent', { sent: 0, skipped: 0 }]);
  await store.messages.deliveries.deleteMany({});
  await run(always({ state: 'sent' }), broadcastTo(pattern));
  expect(await counts()).toMatchObject({ sent: 2 });
});
