/** Leases and what is remembered, against a real MongoDB. */
import { randomBytes } from 'node:crypto';
import type { Cursor, Source } from '@roster/sources';
import type { IntegrationDocument, SyncChunkDocument } from '@roster/store';
import { until } from '@roster/testkit';
import { makeIntegration, useTestbed } from '../testbed.ts';
import { forgetDeleted } from './forget.ts';
import { LeaseLost, takeJob } from './lease.ts';
import { hashOf, loadMemory } from './memory.ts';
import { floorAfter, forgetRows } from './window.ts';

const { store, test } = useTestbed();

let clock = 0;
const leaseMs = 600_000;
const options = (renewMs = leaseMs) => ({
  jobs: store.syncs.jobs,
  leaseMs,
  renewMs,
  stopping: new AbortController().signal,
  now: () => clock,
});

const begin = async (): Promise<IntegrationDocument> => {
  const id = await makeIntegration(test);
  await test.send('cdi.integration_sync', { params: { integration_id: id } });
  const found = await store.syncs.integrations.findOne({ _id: id });
  if (!found) throw new Error('no integration');
  return found;
};

const take = async (renewMs?: number) => {
  const lease = await takeJob(options(renewMs));
  if (!lease) throw new Error('no job to take');
  return lease;
};

describe('a lease', () => {
  it('is for one process at a time, as long as that renews it', async () => {
    await begin();
    const lease = await take(20);
    const { due = new Date(0) } = lease.job;
    await until(() => store.syncs.jobs.findOne({ due: { $gt: due } }));
    clock += leaseMs / 2;
    lease.assertHeld();
    expect(await takeJob(options())).toBeUndefined();
    lease.end();
  });

  it('passes on when its process is gone, and then the first may write nothing', async () => {
    await begin();
    const first = await take();
    first.end();
    clock += leaseMs + 1;
    expect(() => first.assertHeld()).toThrow(LeaseLost);
    await store.syncs.jobs.updateMany({}, { $set: { due: new Date(0) } });
    const second = await take();
    expect(second.job.token).toBe(first.job.token + 1);
    const { matchedCount } = await store.syncs.jobs.updateOne(first.mine, { $set: { synced: 1 } });
    expect(matchedCount).toBe(0);
    second.end();
  });

  it('is lost when somebody pauses the integration', async () => {
    const { _id } = await begin();
    const lease = await take(20);
    await test.send('cdi.integration_update', { params: { integration_id: _id }, body: { paused: true } });
    await until(() => lease.signal.aborted);
    expect(() => lease.assertHeld()).toThrow(LeaseLost);
    lease.end();
  });

  it('that is given back is there at once, or later', async () => {
    await begin();
    const lease = await take();
    lease.end();
    await lease.giveBack({ tries: 3 }, 60_000);
    expect(await takeJob(options())).toBeUndefined();
    await lease.giveBack({});
    const next = await take();
    expect(next.job.tries).toBe(3);
    next.end();
  });
});

const cursor = (seconds: number, tie: string | null = '["x"]'): Cursor => ({
  updatedAt: new Date(1_767_000_000_000 + seconds * 1000).toISOString().replace('.000Z', 'Z'),
  tie,
});

const lookBack = ({ updatedAt }: Cursor, seconds: number): Cursor => ({
  updatedAt: new Date(Date.parse(updatedAt) - seconds * 1000).toISOString().replace('.000Z', 'Z'),
  tie: null,
});

const source = { lookBack } as unknown as Source;

const chunk = (integration: string, at: number, hashes: Buffer, to: Cursor): SyncChunkDocument => ({
  _id: `${integration}/${at}`,
  ws: 'demo',
  integration,
  job: 'job',
  at,
  state: 'done',
  entries: 1,
  to: JSON.stringify(to),
  hashes,
});

describe('the memory of rows', () => {
  it('knows the rows of an integration and no others', async () => {
    const rows = Array.from({ length: 1_000 }, (_, n) => hashOf(String(n)));
    await store.syncs.chunks.insertMany([
      chunk('i', 1, Buffer.concat(rows.slice(0, 600)), cursor(1)),
      chunk('i', 2, Buffer.concat(rows.slice(600)), cursor(2)),
      chunk('j', 3, hashOf('other'), cursor(3)),
    ]);
    const memory = await loadMemory(store, 'i');
    expect(memory.size).toBe(1_000);
    expect(rows.every((hash) => memory.knows({ hash, key: '' }, undefined))).toBe(true);
    expect(memory.knows({ hash: hashOf('other'), key: '' }, undefined)).toBe(false);
    expect(memory.knows({ hash: randomBytes(8), key: '' }, undefined)).toBe(false);
  });

  it.each([
    [
      'the window before the cursor',
      { before: undefined, cursor: cursor(100) },
      false,
      lookBack(cursor(100), 30),
    ],
    [
      'the window of before, while it is read',
      { before: cursor(100), cursor: cursor(80) },
      false,
      lookBack(cursor(100), 30),
    ],
    ['the cursor, when there is too much', { before: undefined, cursor: cursor(100) }, true, cursor(100)],
    [
      'not the cursor, while the window is read',
      { before: cursor(100), cursor: cursor(80) },
      true,
      lookBack(cursor(100), 30),
    ],
  ])('reaches back to %s', (_, places, isTooMuch, expected) => {
    const floor = floorAfter({ floor: undefined, ...places }, (one) => lookBack(one, 30), isTooMuch);
    expect(floor).toEqual(expected);
  });

  it('never reaches further back than before', () => {
    const floor = cursor(95);
    expect(
      floorAfter({ before: undefined, cursor: cursor(100), floor }, (one) => lookBack(one, 30), false),
    ).toEqual(floor);
  });

  it('forgets what lies before the window, and all when there is too much', async () => {
    const integration = await begin();
    const lease = await take();
    const { _id } = integration;
    const chunks = [0, 500, 990].map((seconds, at) => chunk(_id, at, hashOf(String(at)), cursor(seconds)));
    await store.syncs.chunks.insertMany(chunks);
    await store.syncs.jobs.updateOne(lease.mine, { $set: { cursor: JSON.stringify(cursor(1_000)) } });
    const left = async () =>
      (await store.syncs.chunks.find({}, { sort: { at: 1 } }).toArray()).map(({ at }) => at);
    await forgetRows(store, source, lease, integration);
    expect(await left()).toEqual([2]);
    await forgetRows(store, source, lease, integration, 0);
    expect(await left()).toEqual([]);
    const after = await store.syncs.integrations.findOne({ _id });
    expect(after?.floor).toBe(JSON.stringify(cursor(1_000)));
    lease.end();
  });

  it.each([
    [1, [4], { ...cursor(900), tie: null }],
    [0, [], cursor(1_000)],
  ])(
    'of rows ahead, remembers those that are read again unless more than %i is too much',
    async (most, expected, floor) => {
      const integration = await begin();
      const lease = await take();
      const { _id } = integration;
      const chunks = [0, 500, 890, 950].map((seconds, at) =>
        chunk(_id, at + 1, hashOf(String(at)), cursor(seconds)),
      );
      await store.syncs.chunks.insertMany(chunks);
      const $set = { cursor: JSON.stringify(cursor(1_000)), now: cursor(900).updatedAt };
      await store.syncs.jobs.updateOne(lease.mine, { $set });
      await forgetRows(store, source, lease, integration, most);
      const left = await store.syncs.chunks.find({}, { sort: { at: 1 } }).toArray();
      expect(left.map(({ at }) => at)).toEqual(expected);
      expect(await store.syncs.integrations.findOne({ _id })).toMatchObject({ floor: JSON.stringify(floor) });
      lease.end();
    },
  );

  it('keeps what is applied while it forgets: the next sync may read those rows again', async () => {
    const integration = await begin();
    const lease = await take();
    const { _id } = integration;
    const { jobs, chunks } = store.syncs;
    const reach = (seconds: number) =>
      jobs.updateOne(lease.mine, { $set: { cursor: JSON.stringify(cursor(seconds)) } });
    await chunks.insertOne(chunk(_id, 1, hashOf('1'), cursor(100)));
    await reach(100);
    const findOne = jobs.findOne.bind(jobs);
    jest.spyOn(jobs, 'findOne').mockImplementationOnce(async (...asked: Parameters<typeof findOne>) => {
      const found = await findOne(...asked);
      await chunks.insertOne(chunk(_id, 2, hashOf('2'), cursor(200)));
      await reach(200);
      return found;
    });
    await forgetRows(store, source, lease, integration, 0);
    expect((await chunks.find().toArray()).map(({ at }) => at)).toEqual([2]);
    lease.end();
  });

  it('goes with its integration', async () => {
    const { _id } = await begin();
    await store.syncs.chunks.insertMany([
      chunk(_id, 1, hashOf('1'), cursor(1)),
      chunk('gone', 2, hashOf('2'), cursor(1)),
    ]);
    await forgetDeleted(store);
    expect((await store.syncs.chunks.find().toArray()).map(({ integration }) => integration)).toEqual([_id]);
  });
});
