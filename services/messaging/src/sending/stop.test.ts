import type { DeliveryDocument, ScheduleDocument } from '@roster/store';
import { aDelivery, aSend, createSignal, noCounts, until } from '@roster/testkit';
import { always, crowd, noting, openFence, person, schedule, toWebhook, useSending } from './testbed.ts';

const { store, start, ended, settled, rows, add } = useSending();

const stop = (_id: string): Promise<boolean> =>
  store.transact(async (session) => {
    const found = await store.messages.schedules.findOne({ _id }, { session });
    return store.stopSchedule(session, found as ScheduleDocument, { now: new Date(), changed: 2 });
  });

const sumOf = ({ counts }: Pick<DeliveryDocument, 'counts'>): number =>
  Object.values(counts).reduce((sum, n) => sum + n, 0);

/** Nothing of it waits or is being sent, and its counts are those of its rows. */
const overAs = async ({ _id }: ScheduleDocument): Promise<DeliveryDocument['counts']> => {
  const of = (await store.messages.deliveries.findOne({ schedule: _id })) as DeliveryDocument;
  expect(of.ended).toBeDefined();
  expect(of.counts).toMatchObject({ waiting: 0, sending: 0 });
  const count = (more: object) => store.messages.sends.countDocuments({ delivery: of._id, ...more });
  expect(await count({})).toBe(sumOf(of));
  expect(await count({ state: 'sent' })).toBe(of.counts.sent);
  return of.counts;
};

test('a schedule that is stopped while it is being sent goes to nobody else; who is being sent to gets the result', async () => {
  await store.profiles.insertMany(crowd(1500));
  const go = createSignal();
  const { ids, hand } = noting(always({ state: 'sent' }, go.given));
  const sending = start(hand);
  const one = await add(toWebhook());
  // Three turns of a lane are under way.
  await until(() => ids.length >= 300);
  expect(await stop(one._id)).toBe(true);
  const begun = await store.messages.sends.countDocuments({ state: 'sending' });
  go.give();
  expect(await ended(one._id)).toMatchObject({ state: 'stopped' });
  await sending.stop();
  // On a slow machine some of them did not leave in time and were given back.
  expect(ids.length).toBeLessThanOrEqual(begun);
  expect(await overAs(one)).toMatchObject({ sent: ids.length, skipped: begun - ids.length });
  expect(begun).toBeLessThan(1500);
});

test('a turn that has not begun to send when its schedule is stopped sends nothing', async () => {
  await store.profiles.insertMany(crowd(3));
  const go = createSignal();
  let isPreparing = false;
  const { ids, hand } = noting();
  const passed = async (): Promise<boolean> => {
    isPreparing = true;
    await go.given;
    return true;
  };
  const sending = start(hand, { fence: { ...openFence, passed } });
  const one = await add(toWebhook());
  await until(() => isPreparing);
  await stop(one._id);
  go.give();
  expect(await ended(one._id)).toMatchObject({ state: 'stopped' });
  await sending.stop();
  expect(ids).toEqual([]);
  expect(await rows()).toEqual({});
});

test('who waits for local time, or for another try, is skipped with the reason', async () => {
  const zone = (name: string) => ({ fields: { time_zone: { v: name, at: 1 } } });
  await store.profiles.insertMany([
    person(1, zone('Pacific/Kiritimati')),
    person(2, zone('Pacific/Pago_Pago')),
  ]);
  const time = new Date(Date.now() + 14 * 60 * 60_000 - 1000).toISOString().slice(0, 19);
  const sending = start(always({ state: 'later', reason: 'busy' }));
  const one = await add(toWebhook(), { time, in_local_time: true });
  await until(() => store.messages.sends.findOne({ profile: 'p1', state: 'waiting', reason: 'busy' }));
  await stop(one._id);
  expect(await ended(one._id)).toMatchObject({ state: 'stopped' });
  await sending.stop();
  expect(await rows()).toEqual({ p1: 'skipped: stopped', p2: 'skipped: stopped' });
  expect(await overAs(one)).toMatchObject({ skipped: 2 });
});

test('thousands who wait are taken out page by page', async () => {
  const one = schedule(toWebhook(), { state: 'sending', open: 1 });
  const { due: _, ...fired } = one;
  await store.messages.schedules.insertOne(fired);
  const due = new Date(Date.now() + 3_600_000);
  const { dispatch, time } = one;
  const counts = { ...noCounts, waiting: 1200 };
  const of = aDelivery({
    ...{ _id: `${dispatch}/webhook`, dispatch, schedule: one._id },
    ...{ time, read: true, due, counts },
  });
  await store.messages.deliveries.insertOne(of);
  await store.messages.sends.insertMany(
    crowd(1200).map(({ _id }) => aSend(_id, of, { state: 'waiting', due, tries: 0 })),
  );
  await stop(one._id);
  start(always({ state: 'sent' }));
  await ended(one._id);
  await settled();
  expect(await overAs(one)).toMatchObject({ skipped: 1200, sent: 0 });
});

test('stops at the moment at which schedules begin, over several processes: nobody gets it after the stop, and counts agree', async () => {
  await store.profiles.insertMany(crowd(30));
  const { ids, hand } = noting();
  const all = Array.from({ length: 20 }, () => schedule(toWebhook()));
  for (let n = 0; n < 3; n++) start(hand);
  await store.messages.schedules.insertMany(all);
  const stopped = await Promise.all(
    all.map(async ({ _id }, n) => {
      // Some before they fire, some while they are prepared or sent.
      if (n % 4 > 0) await until(() => store.messages.schedules.findOne({ _id, state: { $ne: 'waiting' } }));
      if (n % 4 > 1)
        await until(() => store.messages.deliveries.findOne({ schedule: _id, taker: { $exists: true } }));
      if (n % 4 > 2) await until(() => store.messages.deliveries.findOne({ schedule: _id, read: true }));
      return stop(_id);
    }),
  );
  for (const [n, one] of all.entries()) {
    const { state, dispatch } = await ended(one._id);
    const sent = ids.filter((id) => id.startsWith(`${dispatch}/`));
    expect(stopped[n] ? ['stopped', 'cancelled'] : ['sent']).toContain(state);
    if (state === 'cancelled') expect(sent).toEqual([]);
    else expect((await overAs(one)).sent).toBe(sent.length);
    if (state === 'sent') expect(sent).toHaveLength(30);
  }
  await settled();
  expect(new Set(ids).size).toBe(ids.length);
});
