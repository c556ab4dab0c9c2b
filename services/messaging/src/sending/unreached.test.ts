/** Whomever a schedule lists, the counts of its deliveries add up to what was asked. */
import { identityKey } from '@roster/profile';
import { aDelivery, until } from '@roster/testkit';
import { always, noting, person, schedule, toWebhook, useSending, ws } from './testbed.ts';

const { store, run, start, rows, claim } = useSending();

const idKey = (id: string) => identityKey(ws, { by: 'external_id', id });
const alias = (name: string) => ({ alias_label: 'crm', alias_name: name });
const aliasKey = (name: string) => identityKey(ws, { by: 'user_alias', label: 'crm', name });

const sendTo = async (recipients: object) => {
  const { ids, hand } = noting();
  await run(hand, schedule(toWebhook(), { recipients: JSON.stringify(recipients) }));
  const found = await store.messages.deliveries.findOne({});
  return { rows: await rows(), counts: found?.counts, handed: ids.length };
};

const noCounts = { waiting: 0, sending: 0, sent: 0, refused: 0, skipped: 0, unknown: 0 };

beforeEach(async () => {
  await store.profiles.insertMany([person(1), person(2)]);
  await claim('ada', 'p1');
  await store.identities.insertOne({ _id: aliasKey('1'), profile: 'p1', at: 1 });
});

test('a listed name that nobody has is a recipient under this name', async () => {
  const recipients = { external_user_ids: ['ada', 'nobody'], user_aliases: [alias('7'), alias('a:b')] };
  expect(await sendTo(recipients)).toEqual({
    rows: {
      p1: 'sent',
      [idKey('nobody')]: 'skipped: unknown',
      [aliasKey('7')]: 'skipped: unknown',
      [aliasKey('a:b')]: 'skipped: unknown',
    },
    counts: { ...noCounts, sent: 1, skipped: 3 },
    handed: 1,
  });
});

test('without anybody, all of them are', async () => {
  const { counts } = await sendTo({ external_user_ids: ['no', 'body'] });
  expect(counts).toEqual({ ...noCounts, skipped: 2 });
});

test('a name that stands there twice, and a second name of a person, are duplicates', async () => {
  const { counts, handed, rows } = await sendTo({
    external_user_ids: ['ada', 'ada', 'nobody', 'nobody'],
    user_aliases: [alias('1')],
  });
  expect([handed, counts]).toEqual([1, { ...noCounts, sent: 1, skipped: 4 }]);
  expect(rows).toMatchObject({
    [aliasKey('1')]: 'skipped: duplicate',
    [idKey('nobody')]: 'skipped: unknown',
  });
});

test('with an audience, those who are not in it have a row, too', async () => {
  const audience = { custom_attribute: { custom_attribute_name: 'x', comparison: 'equals', value: 1 } };
  await claim('bob', 'p2');
  await store.profiles.updateOne({ _id: 'p2' }, { $set: { custom: [{ k: 'x', v: 1, at: 1 }] } });
  expect(await sendTo({ external_user_ids: ['ada', 'bob', 'nobody'], audience })).toMatchObject({
    rows: { p2: 'sent', [idKey('ada')]: 'skipped: not_in_audience', [idKey('nobody')]: 'skipped: unknown' },
    counts: { ...noCounts, sent: 1, skipped: 2 },
  });
});

test('of a segment that is gone, nobody is in it', async () => {
  const { rows } = await sendTo({ external_user_ids: ['ada'], segment_id: 'gone' });
  expect(rows).toEqual({ [idKey('ada')]: 'skipped: not_in_audience' });
});

test('erased names count as skipped, without a name', async () => {
  const { counts } = await sendTo({ external_user_ids: ['ada', '', ''] });
  expect(counts).toEqual({ ...noCounts, sent: 1, skipped: 2 });
  const found = await store.messages.sends.find({ profile: '' }).toArray();
  expect(found.map(({ named, reason }) => [named, reason])).toEqual(Array(2).fill([undefined, 'deleted']));
});

test('names that were not reached when a schedule was stopped are skipped as stopped', async () => {
  const { due: _due, ...one } = schedule(toWebhook(), {
    recipients: JSON.stringify({ external_user_ids: ['ada', 'nobody'] }),
  });
  await store.messages.schedules.insertOne({ ...one, state: 'stopped', open: 1 });
  const halted = { halted: 'stopped', read: true, schedule: one._id, recipients: one.recipients } as const;
  await store.messages.deliveries.insertOne(aDelivery(halted));
  start(always({ state: 'sent' }));
  const over = await until(() => store.messages.deliveries.findOne({ ended: { $exists: true } }));
  expect(over.counts).toEqual({ ...noCounts, skipped: 2 });
  expect(await rows()).toEqual({ [idKey('ada')]: 'skipped: stopped', [idKey('nobody')]: 'skipped: unknown' });
});
