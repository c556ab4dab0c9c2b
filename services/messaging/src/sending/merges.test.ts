import type { DeliveryDocument, SendDocument } from '@roster/store';
import { aDelivery, aSend, noCounts, until } from '@roster/testkit';
import { always, person, schedule, toWebhook, useSending } from './testbed.ts';

const { store, start, rows, run, claim } = useSending();

const rowOf = (profile: string, state: SendDocument['state'] = 'waiting'): SendDocument =>
  aSend(profile, aDelivery(), { state, tries: 0, ...(state === 'waiting' && { due: new Date() }) });

/** A delivery whose recipients wait, once they have been merged. */
const sendWith = async (more: Partial<DeliveryDocument>, all: SendDocument[]) => {
  const counts = { ...noCounts };
  for (const { state } of all) counts[state] += 1;
  const message = JSON.stringify(toWebhook().webhook);
  const recipients = JSON.stringify({ broadcast: true });
  await store.messages.sends.insertMany(all);
  await store.messages.deliveries.insertOne(aDelivery({ message, recipients, counts, ...more }));
  const asked: string[] = [];
  start(async (_ws, _channel, _to, { person: id }) => {
    asked.push(id);
    return { state: 'sent' };
  });
  const over = await until(() => store.messages.deliveries.findOne({ ended: { $exists: true } }));
  return { asked, counts: over.counts };
};

const sendAll = (...all: SendDocument[]) => sendWith({ read: true, cursor: 'z' }, all);

const sentOnce = { ...noCounts, sent: 1 };

test('who was merged while they waited is the kept person', async () => {
  await store.profiles.insertOne(person(1, { absorbed: ['p2'] }));
  expect(await sendAll(rowOf('p2'))).toEqual({ asked: ['p1'], counts: sentOnce });
  expect(await rows()).toEqual({ p1: 'sent' });
});

test('two who wait and were merged get it once, and count once', async () => {
  await store.profiles.insertOne(person(1, { absorbed: ['p2', 'p3'] }));
  const all = [rowOf('p2'), rowOf('p3'), rowOf('p1')];
  expect(await sendAll(...all)).toEqual({ asked: ['p1'], counts: sentOnce });
});

test('of listed people who wait and were merged, the other rows stay as duplicates', async () => {
  await store.profiles.insertOne(person(1, { absorbed: ['p2', 'p3'] }));
  const recipients = JSON.stringify({ external_user_ids: ['u1', 'u2', 'u3'] });
  const all = [rowOf('p2'), rowOf('p3', 'sent'), rowOf('p1')];
  const { asked, counts } = await sendWith({ read: true, cursor: 'z', recipients }, all);
  expect([asked, counts]).toEqual([[], { ...noCounts, sent: 1, skipped: 2 }]);
});

test('who got it before they were merged does not get it again', async () => {
  await store.profiles.insertOne(person(1, { absorbed: ['p2'] }));
  expect(await sendAll(rowOf('p2', 'sent'), rowOf('p1'))).toEqual({ asked: [], counts: sentOnce });
});

test('who has a row because of a merge gets no other one when their page comes', async () => {
  await store.profiles.insertMany([person(1), person(2)]);
  const { asked, counts } = await sendWith({ merged: true }, [rowOf('p1', 'sent')]);
  expect([asked, counts]).toEqual([['p2'], { ...noCounts, sent: 2 }]);
});

test('who was skipped before they were merged does not keep the other one from it', async () => {
  await store.profiles.insertOne(person(1, { absorbed: ['p2'] }));
  expect((await sendAll(rowOf('p2', 'skipped'), rowOf('p1'))).asked).toEqual(['p1']);
});

test('who was deleted is left out', async () => {
  expect(await sendAll(rowOf('p2'))).toEqual({ asked: [], counts: { ...noCounts, skipped: 1 } });
});

test('who is merged after the page of the audience was read is the kept person, who may come on a later page', async () => {
  // The claim leads to a person who is merged away already: the page was read before.
  await store.profiles.insertOne(person(9, { absorbed: ['p1'] }));
  await claim('x0', 'p1');
  await claim('x1', 'p9');
  for (const external_user_ids of [['x0'], ['x0', 'x1']]) {
    await store.messages.sends.deleteMany({});
    const recipients = JSON.stringify({ external_user_ids });
    await run(always({ state: 'sent' }), schedule(toWebhook(), { recipients }));
    const others = external_user_ids.slice(1).map((id) => [`demo:e:${id}`, 'skipped: duplicate']);
    expect(await rows()).toEqual({ p9: 'sent', ...Object.fromEntries(others) });
  }
});
