import { identityKey } from '@roster/profile';
import type { DeliveryDocument, SendDocument } from '@roster/store';
import { until } from '@roster/testkit';
import { always, delivery, person, schedule, useSending, ws } from './testbed.ts';

const { store, start, ended, rows } = useSending();

const toWebhook = { webhook: { url: 'https://example.com/', request_method: 'POST', body: 'x' } };
const noCounts = { waiting: 0, sending: 0, sent: 0, refused: 0, skipped: 0, unknown: 0 };

const rowOf = (profile: string, state: SendDocument['state'] = 'waiting'): SendDocument => ({
  _id: `${ws}/webhook/${profile}`,
  ws,
  delivery: `${ws}/webhook`,
  profile,
  channel: 'webhook',
  state,
  at: new Date(),
  ...(state === 'waiting' && { due: new Date() }),
  tries: 0,
  expires: new Date(Date.now() + 1e9),
});

/** A delivery whose recipients wait, once they have been merged. */
const sendWith = async (more: Partial<DeliveryDocument>, all: SendDocument[]) => {
  const counts = { ...noCounts };
  for (const { state } of all) counts[state] += 1;
  const message = JSON.stringify(toWebhook.webhook);
  const recipients = JSON.stringify({ broadcast: true });
  await store.messages.sends.insertMany(all);
  await store.messages.deliveries.insertOne(delivery({ message, recipients, counts, ...more }));
  const asked: string[] = [];
  const sending = start(async (_ws, _channel, _to, { person: id }) => {
    asked.push(id);
    return { state: 'sent' };
  });
  const over = await until(() => store.messages.deliveries.findOne({ ended: { $exists: true } }));
  expect(sending.errors).toEqual([]);
  return { asked, counts: over.counts };
};

const sendTo = (...all: SendDocument[]) => sendWith({ read: true, cursor: 'z' }, all);

test('who was merged while they waited is the kept person', async () => {
  await store.profiles.insertOne(person(1, { absorbed: ['p2'] }));
  expect(await sendTo(rowOf('p2'))).toEqual({ asked: ['p1'], counts: { ...noCounts, sent: 1 } });
  expect(await rows()).toEqual({ p1: 'sent' });
});

test('two who wait and were merged get it once, and count once', async () => {
  await store.profiles.insertOne(person(1, { absorbed: ['p2', 'p3'] }));
  const all = [rowOf('p2'), rowOf('p3'), rowOf('p1')];
  expect(await sendTo(...all)).toEqual({ asked: ['p1'], counts: { ...noCounts, sent: 1 } });
});

test('who got it before they were merged does not get it again', async () => {
  await store.profiles.insertOne(person(1, { absorbed: ['p2'] }));
  expect(await sendTo(rowOf('p2', 'sent'), rowOf('p1'))).toEqual({
    asked: [],
    counts: { ...noCounts, sent: 1 },
  });
});

test('who has a row because of a merge gets no other one when their page comes', async () => {
  await store.profiles.insertMany([person(1), person(2)]);
  const { asked, counts } = await sendWith({ merged: true }, [rowOf('p1', 'sent')]);
  expect([asked, counts]).toEqual([['p2'], { ...noCounts, sent: 2 }]);
});

test('who was skipped before they were merged does not keep the other one from it', async () => {
  await store.profiles.insertOne(person(1, { absorbed: ['p2'] }));
  expect((await sendTo(rowOf('p2', 'skipped'), rowOf('p1'))).asked).toEqual(['p1']);
});

test('who was deleted is left out', async () => {
  expect(await sendTo(rowOf('p2'))).toEqual({ asked: [], counts: { ...noCounts, skipped: 1 } });
});

test('who is merged after the page of the audience was read is the kept person, who may come on a later page', async () => {
  // The claim leads to a person who is merged away already: the page was read before.
  await store.profiles.insertOne(person(9, { absorbed: ['p1'] }));
  await store.identities.deleteMany({});
  await store.identities.insertMany(
    ['p1', 'p9'].map((profile, n) => ({
      _id: identityKey(ws, { by: 'external_id', id: `x${n}` }),
      profile,
      at: 1,
    })),
  );
  start(always({ state: 'sent' }));
  const recipients = { external_user_ids: ['x0', 'x1'] };
  for (const ids of [['x0'], recipients.external_user_ids]) {
    await store.messages.sends.deleteMany({});
    const one = schedule(toWebhook, { recipients: JSON.stringify({ external_user_ids: ids }) });
    await store.messages.schedules.insertOne(one);
    await ended(one._id);
    expect(await rows()).toEqual({ p9: 'sent' });
  }
});
