import type { ScheduleDocument } from '@roster/store';
import { aContentBlock } from '@roster/testkit';
import { liquidTagOf } from '../content/show-block.ts';
import { refused, useTestbed } from '../testbed.ts';

const { store, test } = useTestbed();

let stamps = 0;
/** Each request has one of its own. */
const now = () => Date.now() * 1000 + (stamps++ % 1000);

const webhook = (more: object = {}) => ({ url: 'https://example.com/', request_method: 'POST', ...more });

const create = (more: object = {}) =>
  test.send(
    'messages.schedule.create',
    {
      external_user_ids: ['ada'],
      schedule: { time: '2036-01-01T09:00:00Z' },
      messages: { webhook: webhook() },
      ...more,
    },
    { at: now() },
  );

const waiting = (n: number): ScheduleDocument => ({
  _id: `s${n}`,
  ws: 'demo',
  dispatch: `d${n}`,
  recipients: '{}',
  messages: '{}',
  size: 4,
  time: '2036-01-01T09:00:00Z',
  state: 'waiting',
  due: new Date(Date.parse('2036-01-01T09:00:00Z') + n),
  created: 1,
  changed: 1,
});

const many = (count: number, more: object = {}) =>
  store.messages.schedules.insertMany(Array.from({ length: count }, (_, n) => ({ ...waiting(n), ...more })));

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
    create({ messages: { webhook: webhook({ body: names.slice(0, count).map(liquidTagOf).join('') }) } });
  expect((await including(50)).status).toBe(201);
  expect(await including(51)).toEqual(refused('messages include more than 50 Content Blocks'));
});

it('the patterns of an audience have 2,000 steps together', async () => {
  const pattern = {
    custom_attribute: {
      custom_attribute_name: 'x',
      comparison: 'matches_regex',
      value: '(?:\\pL?){490}\\pZ',
    },
  };
  const toPatterns = (count: number) =>
    create({
      external_user_ids: [],
      broadcast: true,
      audience: { OR: Array.from({ length: count }, () => pattern) },
    });
  expect((await toPatterns(2)).status).toBe(201);
  expect(await toPatterns(99)).toEqual(
    refused(
      'audience.OR[2].custom_attribute.value makes the patterns of the audience too large: 2000 characters and 2000 steps at most, all together',
    ),
  );
});

it('of broadcasts the next 1,000 are listed', async () => {
  await many(1001, { broadcast: true });
  const { body } = await test.send('messages.schedule_broadcasts', undefined, {
    query: { end_time: '2036-12-31T00:00:00 02:00' },
  });
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
  const { body } = await test.send('messages.schedule_broadcasts', undefined, {
    query: { end_time: '2036-12-31' },
  });
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
  const { body } = await create();
  const { schedule_id } = body;
  const late = (Date.now() - 60_000) * 1000;
  const change = (at: number, time: string) =>
    test.send('messages.schedule.update', { schedule_id, schedule: { time } }, { at });
  expect(await change(late, '2036-01-02T09:00:00Z')).toEqual(
    refused('The schedule was changed by a later request', {}, 409),
  );
  expect((await change(now(), '2036-01-03T09:00:00Z')).status).toBe(201);
  expect(await store.messages.schedules.findOne({})).toMatchObject({ time: '2036-01-03T09:00:00Z' });
});

it('messages of a campaign are variations of it, also after a change', async () => {
  const reason = 'messages.webhook.message_variation_id is required with campaign_id';
  const unspecified = refused('Message Variant Unspecified', { faults: [{ reason }] });
  expect(await create({ campaign_id: 'sale' })).toEqual(unspecified);
  const variation = { webhook: webhook({ message_variation_id: 'a' }) };
  const { status, body } = await create({ campaign_id: 'sale', messages: variation });
  expect(status).toBe(201);
  const change = (messages: object) =>
    test.send('messages.schedule.update', { schedule_id: body.schedule_id, messages }, { at: now() });
  expect(await change({ webhook: webhook() })).toEqual(unspecified);
  expect((await change(variation)).status).toBe(201);
});
