import { aContentBlock } from '@roster/testkit';
import { liquidTagOf } from '../content/reads.ts';
import { schedule, toWebhook } from '../sending/testbed.ts';
import { refused } from '../testbed.ts';
import { useSchedules } from './testbed.ts';

const { store, create, change, broadcasts } = useSchedules();

const webhook = (more: object = {}) => ({ ...toWebhook().webhook, ...more });

const many = (count: number, more: object = {}) =>
  store.messages.schedules.insertMany(
    Array.from({ length: count }, (_, n) => {
      const due = new Date(Date.parse('2036-01-01T09:00:00Z') + n);
      return schedule({}, { _id: `s${n}`, due, time: '2036-01-01T09:00:00Z', ...more });
    }),
  );

it('20,000 schedules of a workspace may wait, and no more', async () => {
  await many(19_999);
  expect((await create()).status).toBe(201);
  const full = 'The workspace has as many schedules waiting as it may have';
  expect(await create()).toEqual(refused(full));
  await store.messages.schedules.updateOne({ _id: 's1' }, { $set: { state: 'sent' }, $unset: { due: 1 } });
  expect((await create()).status).toBe(201);
});

const named = (count: number, name: (n: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), '{{ "x" }}']));

it('200 texts may be Liquid', async () => {
  const messages = (more: object) => ({
    webhook: webhook({ request_headers: named(50, (n) => `x-${n}`), ...more }),
    email: {
      app_id: 'shop',
      from: 'news@example.com',
      body: '{{ "x" }}',
      headers: named(49, (n) => `X-${n}`),
    },
    content_card: { type: 'CLASSIC', title: 'x', description: 'x', extra: named(100, (n) => `x${n}`) },
  });
  expect((await create({ messages: messages({}) })).status).toBe(201);
  expect(await create({ messages: messages({ body: '{{ "x" }}' }) })).toEqual(
    refused('messages has more than 200 texts with Liquid'),
  );
});

it('50 Content Blocks may be included', async () => {
  const names = Array.from({ length: 51 }, (_, n) => `block-${n}`);
  await store.content.blocks.insertMany(names.map((name) => aContentBlock({ _id: name, name })));
  const including = (count: number) =>
    create({ messages: toWebhook(names.slice(0, count).map(liquidTagOf).join('')) });
  expect((await including(50)).status).toBe(201);
  expect(await including(51)).toEqual(refused('messages include more than 50 Content Blocks'));
});

it('the patterns of an audience have 2,000 steps together', async () => {
  const matches = { comparison: 'matches_regex', value: '(?:\\pL?){490}\\pZ' };
  const pattern = { custom_attribute: { custom_attribute_name: 'x', ...matches } };
  const toPatterns = (count: number) =>
    create({ external_user_ids: [], broadcast: true, audience: { OR: Array(count).fill(pattern) } });
  expect((await toPatterns(2)).status).toBe(201);
  const tooLarge =
    'audience.OR[2].custom_attribute.value makes the patterns of the audience too large: 2000 characters and 2000 steps at most, all together';
  expect(await toPatterns(99)).toEqual(refused(tooLarge));
});

it('of broadcasts the next 1,000 are listed', async () => {
  await many(1001, { broadcast: true });
  const { body } = await broadcasts({ end_time: '2036-12-31T00:00:00 02:00' });
  const ids = (body.scheduled_broadcasts as { id: string }[]).map(({ id }) => id);
  expect(ids).toEqual(Array.from({ length: 1000 }, (_, n) => `s${n}`));
});

it('a broadcast whose time came without a zone is listed with one', async () => {
  await create({
    external_user_ids: [],
    broadcast: true,
    audience: { custom_attribute: { custom_attribute_name: 'x', comparison: 'exists' } },
    schedule: { time: '2036-01-01 09:00:00' },
  });
  const { body } = await broadcasts({ end_time: '2036-12-31' });
  expect(body.scheduled_broadcasts).toMatchObject([{ next_send_time: '2036-01-01T09:00:00.000Z' }]);
});

it('neither the number of schedules nor the list of broadcasts reads schedules that it does not show', async () => {
  await many(300);
  const { schedules } = store.messages;
  const read = async (steps: object[]) => {
    const plan = JSON.stringify(await schedules.aggregate(steps).explain('executionStats'));
    return [...plan.matchAll(/"totalDocsExamined":(\d+)/g)].map(([, count]) => Number(count));
  };
  const count = [{ $match: { ws: 'demo', due: { $gt: new Date(0) } } }, { $count: 'n' }];
  expect(await read(count)).toEqual([0]);
  const broadcasts = { ws: 'demo', broadcast: true, due: { $lte: new Date('2037-01-01') } };
  expect(await read([{ $match: broadcasts }])).toEqual([0]);
});

it('a delayed change does not undo a later one', async () => {
  const { schedule_id } = (await create()).body;
  const to = (time: string) => ({ schedule: { time } });
  const aMinuteAgo = (Date.now() - 60_000) * 1000;
  expect(await change(schedule_id, to('2036-01-02T09:00:00Z'), aMinuteAgo)).toEqual(
    refused('The schedule was changed by a later request', {}, 409),
  );
  expect((await change(schedule_id, to('2036-01-03T09:00:00Z'))).status).toBe(201);
  expect(await store.messages.schedules.findOne({})).toMatchObject({ time: '2036-01-03T09:00:00Z' });
});

it('messages of a campaign are variations of it, also after a change', async () => {
  const reason = 'messages.webhook.message_variation_id is required with campaign_id';
  const unspecified = refused('Message Variant Unspecified', { faults: [{ reason }] });
  expect(await create({ campaign_id: 'sale' })).toEqual(unspecified);
  const variation = { webhook: webhook({ message_variation_id: 'a' }) };
  const { status, body } = await create({ campaign_id: 'sale', messages: variation });
  expect(status).toBe(201);
  expect(await change(body.schedule_id, { messages: toWebhook() })).toEqual(unspecified);
  expect((await change(body.schedule_id, { messages: variation })).status).toBe(201);
});
