import { stringifyExact } from '@roster/contract';
import { always, person, schedule, useSending } from './testbed.ts';

const { store, run, rows } = useSending();

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

it('who is excluded by a long whole number gets nothing, and who is named by one gets it', async () => {
  const has = (v: bigint) => ({ custom: [{ k: 'x', v, at: 1 }] });
  const value = 9_007_199_254_740_993n;
  await store.profiles.insertMany([person(1, has(value)), person(2, has(value + 2n))]);
  const toThose = (comparison: string) =>
    schedule(webhook, {
      recipients: stringifyExact({
        broadcast: true,
        audience: { custom_attribute: { custom_attribute_name: 'x', comparison, value } },
      }),
    });
  await run(always({ state: 'sent' }), toThose('not_equal'));
  expect(await rows()).toEqual({ p2: 'sent' });
  await store.messages.sends.deleteMany({});
  await run(always({ state: 'sent' }), toThose('less_than_or_equal_to'));
  expect(await rows()).toEqual({ p1: 'sent' });
});
