/** Users whom a schedule names, and who are merged before it falls due. */
import { identityKey } from '@roster/profile';
import { listedIn, type ScheduleDocument } from '@roster/store';
import { always, person, schedule, useSending, ws } from './testbed.ts';

const { store, run, rows } = useSending();

const createdAt = 1000;
const toWebhook = { webhook: { url: 'https://example.com/', request_method: 'POST' } };
const expires = new Date('2099-01-01');

const idKey = (id: string) => identityKey(ws, { by: 'external_id', id });
const aliasKey = identityKey(ws, { by: 'user_alias', label: 'cookie', name: 'c' });

const claim = (_id: string, profile: string, more: object = {}) =>
  store.identities.insertOne({ _id, profile, at: 1, ...more });

/** A merge or an alias that moves leaves it: `to` is the service id of the person who had the name. */
const lost = (key: string, to: string | undefined, at = createdAt + 1) =>
  store.tombstones.write([{ ws, key, at, ...(to !== undefined && { to }), expires }]);

const named = (recipients: object, more: Partial<ScheduleDocument> = {}): ScheduleDocument =>
  schedule(toWebhook, {
    recipients: JSON.stringify(recipients),
    listed: listedIn(ws, recipients),
    created: createdAt,
    ...more,
  });

const sendTo = async (recipients: object) => {
  await run(always({ state: 'sent' }), named(recipients));
  const delivery = await store.messages.deliveries.findOne({});
  return { rows: await rows(), sent: delivery?.counts.sent };
};

beforeEach(async () => {
  await store.identities.deleteMany({});
  await store.profiles.insertOne(person(1, { absorbed: ['p8', 'p9'] }));
});

const toOld = { external_user_ids: ['old'] };
const toKept = { rows: { p1: 'sent' }, sent: 1 };
const toNobody = { rows: {}, sent: 0 };

test('who was merged since the schedule was made gets it as the kept person', async () => {
  await lost(idKey('old'), 'p9');
  expect(await sendTo(toOld)).toEqual(toKept);
});

test('who was merged before the schedule was made is not meant', async () => {
  await lost(idKey('early'), 'p9', createdAt - 1);
  expect(await sendTo({ external_user_ids: ['early'] })).toEqual(toNobody);
});

test('two names of one person are one send', async () => {
  await claim(idKey('u1'), 'p1');
  await lost(idKey('old'), 'p9');
  await lost(idKey('older'), 'p8');
  expect(await sendTo({ external_user_ids: ['older', 'old', 'u1'] })).toEqual(toKept);
});

test('a name that somebody else has got since is theirs', async () => {
  await store.profiles.insertOne(person(2));
  await lost(idKey('old'), 'p9');
  await claim(idKey('old'), 'p2');
  expect(await sendTo(toOld)).toEqual({ rows: { p2: 'sent' }, sent: 1 });
});

test('nobody gets it whose name went on to a person who was deleted', async () => {
  await lost(idKey('gone'), 'p9');
  await lost(idKey('gone'), undefined, createdAt + 2);
  await lost(idKey('other'), 'p7');
  expect(await sendTo({ external_user_ids: ['gone', 'other'] })).toEqual(toNobody);
});

test('an alias whose person was identified leads to the identified one, once', async () => {
  const recipients = { user_aliases: [{ alias_label: 'cookie', alias_name: 'c' }] };
  await lost(aliasKey, 'p9');
  await claim(aliasKey, 'p1', { moved: createdAt + 1 });
  expect(await sendTo(recipients)).toEqual(toKept);
});

test('where an audience is asked for too, the kept person is looked for in it', async () => {
  await lost(idKey('old'), 'p9');
  const attribute = { custom_attribute_name: 'x', comparison: 'equals', value: 1 };
  await store.profiles.updateOne({ _id: 'p1' }, { $set: { custom: [{ k: 'x', v: 1, at: 1 }] } });
  expect(await sendTo({ ...toOld, audience: { custom_attribute: attribute } })).toEqual(toKept);
});

test('who is merged between two pages is not passed over', async () => {
  // p1 stands before the place up to which the delivery was read; who was named stands after it.
  await claim(aliasKey, 'p1', { moved: createdAt + 1 });
  await lost(aliasKey, 'p9');
  const one = named({ user_aliases: [{ alias_label: 'cookie', alias_name: 'c' }] });
  const { due: now } = one;
  const delivery = {
    ...{
      _id: `${one.dispatch}/webhook`,
      ws,
      lane: `${ws}/webhook`,
      dispatch: one.dispatch,
      schedule: one._id,
    },
    ...{ recipients: one.recipients, time: one.time, created: one.created, channel: 'webhook' as const },
    ...{ message: JSON.stringify(toWebhook.webhook), read: false, cursor: 'p5', due: now ?? new Date() },
    ...{ began: new Date(), planned: new Date() },
    counts: { waiting: 0, sending: 0, sent: 0, refused: 0, skipped: 0, unknown: 0 },
  };
  await store.messages.deliveries.insertOne(delivery);
  const { due: _due, ...fired } = one;
  await run(always({ state: 'sent' }), { ...fired, state: 'sending', open: 1 });
  expect(await rows()).toEqual({ p1: 'sent' });
});
