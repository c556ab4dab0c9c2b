import { aDelivery, useStore } from '@roster/testkit';
import { isOverdue, notBegun, overdueSentence, readOverdue } from './overdue.ts';

const store = useStore();

const now = new Date('2026-11-29T12:00:00Z');
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1_000);

const ahead = (seconds: number): Date => ago(-seconds);

const read = async () =>
  Object.fromEntries((await readOverdue(store, now)).map(({ work, ms }) => [work, ms]));

const nothing = { schedules: 0, deliveries: 0, syncs: 0 };

beforeEach(async () => {
  for (const collection of [store.messages.schedules, store.messages.deliveries, store.syncs.jobs])
    await collection.deleteMany({});
});

it.each([
  [0, false],
  [119_999, false],
  [120_000, true],
])('%d ms late is overdue: %s', (ms, expected) => {
  expect(isOverdue({ ms })).toBe(expected);
});

it('is nothing when nothing waits', async () => {
  expect(await read()).toEqual(nothing);
});

it('is a delivery that is given back and due again and again', async () => {
  const { deliveries } = store.messages;
  await deliveries.insertOne(aDelivery({ began: ago(300), due: new Date(now.getTime() + 500) }));
  expect(await read()).toEqual({ ...nothing, deliveries: 300_000 });
  expect(overdueSentence({ work: 'deliveries', ms: 300_000 })).toBe('deliveries should have begun 300 s ago');
});

it.each([
  ['has begun', { cursor: 'p1' }],
  ['is read', { read: true }],
  ['was stopped', { halted: 'stopped' }],
] as const)('is no delivery that %s', async (_, more) => {
  await store.messages.deliveries.insertOne(aDelivery({ began: ago(300), due: ago(1), ...more }));
  expect(await read()).toEqual(nothing);
});

it('is a schedule that nobody has fired, and a sync that no process has', async () => {
  const asIs = { bypassDocumentValidation: true };
  await store.messages.schedules.insertOne({ _id: 's', state: 'waiting', due: ago(200) } as never, asIs);
  await store.syncs.jobs.insertMany(
    [
      { _id: 'a', ws: 'shop', due: ago(150) },
      { _id: 'b', ws: 'shop', due: ago(160) },
      { _id: 'c', ws: 'other', due: ahead(20) },
    ] as never,
    asIs,
  );
  expect(await read()).toEqual({ ...nothing, schedules: 200_000, syncs: 160_000 });
});

it('is no sync that waits for others of its workspace, whose sources do not answer', async () => {
  const { jobs } = store.syncs;
  const dead = Array.from({ length: 50 }, (_, n) => ({ _id: `dead${n}`, ws: 'shop', due: ago(3_600 - n) }));
  const inTurn = { _id: 'turn', ws: 'shop', due: ahead(20) };
  const asIs = { bypassDocumentValidation: true };
  await jobs.insertMany([...dead, inTurn] as never, asIs);
  expect(await read()).toEqual(nothing);
  await jobs.insertOne({ _id: 'alone', ws: 'other', due: ago(130) } as never, asIs);
  expect(await read()).toEqual({ ...nothing, syncs: 130_000 });
  // Their process is gone: the lease is over.
  await jobs.updateOne({ _id: 'turn' }, { $set: { due: ago(1) } }, asIs);
  expect(await read()).toEqual({ ...nothing, syncs: 3_600_000 });
});

it('is read by an index, however many deliveries are over', async () => {
  const plan = await store.messages.deliveries.find(notBegun).explain();
  expect(JSON.stringify(plan)).toContain('"indexName":"by_lane"');
});
