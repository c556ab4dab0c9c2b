/** Diff mode on a collection of a real MongoDB. What jobs send is looked at, and counts as applied. */
import type { SyncChunkDocument } from '@roster/store';
import type { Collection } from 'mongodb';
import { makeIntegration } from '../testbed.ts';
import { forgetStale } from './forget.ts';
import { keptDocument, keptId } from './kept.ts';
import { bodyOf } from './outcomes.ts';
import { useJobs, useSource } from './testbed.ts';

interface Customer {
  id: string | number | null;
  plan?: string | null;
  dob?: string | null;
}

const source = useSource();
const { store, test, apply, run, take, begin, change } = useJobs('mongodb', source);

let customers: Collection<Customer>;
beforeAll(() => {
  customers = source.client.db().collection('customers');
});

/** What was sent, in short: `users.track.bulk {...}`. */
let sent: string[] = [];
/** The process dies when so many requests were saved. */
let dieAfter = Number.POSITIVE_INFINITY;
beforeEach(async () => {
  [sent, dieAfter] = [[], Number.POSITIVE_INFINITY];
  await customers.deleteMany({});
});

const note = (chunk: SyncChunkDocument): Promise<void> => {
  const entries = Object.values(bodyOf(chunk)).flat();
  sent.push(...entries.map((entry) => `${chunk.op} ${JSON.stringify(entry)}`));
  return apply(chunk);
};

const make = (more: object = {}): Promise<string> =>
  makeIntegration(test, {
    mode: 'diff',
    identifier: { by: 'external_id', column: 'id' },
    columns: { plan: 'plan', dob: 'dob' },
    ...more,
  });

/** Takes the job of an integration and runs it to its end, or until the process dies. */
const work = async () => {
  const lease = await take();
  const error: unknown = await run(lease, {
    async send(chunk) {
      dieAfter -= 1;
      if (dieAfter < 0) throw new Error('the process is killed');
      await note(chunk);
    },
    async again(chunk) {
      if (!(await store.requests.findOne({ _id: chunk._id }))) await note(chunk);
      return chunk;
    },
  }).catch((error) => error);
  lease.end();
  if (error) await lease.giveBack({});
  return { error, job: await store.syncs.jobs.findOne({ _id: lease.job._id }) };
};

const sync = async (id: string) => {
  sent = [];
  await begin(id);
  const { error, job } = await work();
  return { error, job, sent: [...sent] };
};

/** All fields must be there, as columns are those of the first documents. */
const insert = (rows: readonly Customer[]) =>
  customers.insertMany(rows.map((row) => ({ plan: null, dob: null, ...row })));

const names = (texts: readonly string[]): string[] =>
  texts.map((text) => /"external_id":"([^"]*)"/.exec(text)?.[1] ?? text).sort();

const many = (from: number, to: number, plan = 'free'): Customer[] =>
  Array.from({ length: to - from }, (_, n) => ({ id: `c${String(from + n).padStart(5, '0')}`, plan }));

it('sends what was added and what has changed, and nothing of the others', async () => {
  await insert(many(0, 1_100));
  const id = await make();
  expect((await sync(id)).sent).toHaveLength(1_100);
  expect((await sync(id)).sent).toEqual([]);
  await customers.updateMany({ id: { $in: ['c00000', 'c00777'] } }, { $set: { plan: 'gold' } });
  await insert([{ id: 'a first one' }, { id: 'c00500a' }, { id: 'd last' }]);
  await customers.deleteOne({ id: 'c00900' });
  const { job, sent } = await sync(id);
  expect(names(sent)).toEqual(['a first one', 'c00000', 'c00500a', 'c00777', 'd last']);
  expect(job).toMatchObject({ state: 'success', synced: 5 });
  expect((await sync(id)).sent).toEqual([]);
  // What was forgotten is new when it comes again.
  await insert([{ id: 'c00900', plan: 'free' }]);
  expect(names((await sync(id)).sent)).toEqual(['c00900']);
  expect(await store.syncs.chunks.countDocuments()).toBe(0);
});

it.each([
  ['null', ['users.track.bulk {"plan":null,"dob":null,"external_id":"c00003","_update_existing_only":true}']],
  ['delete', ['users.delete {"external_id":"c00003"}']],
])('rows that are gone, with on_removed %s', async (on_removed, expected) => {
  await insert(many(0, 600));
  const id = await make({ on_removed });
  await sync(id);
  await customers.deleteOne({ id: 'c00003' });
  expect((await sync(id)).sent).toEqual(expected);
  expect((await sync(id)).sent).toEqual([]);
  await insert([{ id: 'c00003', plan: 'free' }]);
  expect(names((await sync(id)).sent)).toEqual(['c00003']);
  // Its last version made no entry.
  await customers.updateOne({ id: 'c00003' }, { $set: { plan: 'x'.repeat(1_100_000) } });
  expect((await sync(id)).job).toMatchObject({ state: 'partial', failed: 1 });
  await customers.deleteOne({ id: 'c00003' });
  expect((await sync(id)).sent).toEqual(expected);
});

it('numbers in their order, and a person named by them', async () => {
  await insert([-10, -9, 1, 9, 10, 100].map((id) => ({ id, plan: 'free' })));
  const id = await make({ on_removed: 'delete' });
  expect((await sync(id)).sent).toHaveLength(6);
  await customers.deleteOne({ id: -9 });
  expect((await sync(id)).sent).toEqual(['users.delete {"external_id":"-9"}']);
});

it('a table that was emptied removes nobody before somebody confirms it', async () => {
  await insert(many(0, 1_300));
  const id = await make({ on_removed: 'delete' });
  await sync(id);
  await customers.deleteMany({ id: { $gte: 'c00400' } });
  const refused = await sync(id);
  expect(String(refused.error)).toContain('900 of 1300 rows are no longer in the table');
  expect(refused.sent).toEqual([]);
  // As the interface has ended it.
  await change(id, { paused: true });
  await change(id, { paused: false, most_removed_percent: 100 });
  // A row that has come back meanwhile is not removed.
  await insert([{ id: 'c00401', plan: 'free' }]);
  const { sent } = await sync(id);
  expect(sent.filter((text) => text.startsWith('users.delete'))).toHaveLength(899);
  expect(sent).not.toContain('users.delete {"external_id":"c00401"}');
  expect((await sync(id)).sent).toEqual([]);
});

it.each(['ignore', 'delete'])(
  'each change once, wherever processes die, with on_removed %s',
  async (on_removed) => {
    await insert(many(0, 1_200));
    const id = await make({ on_removed, most_removed_percent: 100 });
    await sync(id);
    await customers.updateMany({ id: /[37]$/ }, { $set: { plan: 'gold' } });
    await customers.deleteMany({ id: /[05]$/ });
    await insert(many(1_200, 2_200));
    sent = [];
    await begin(id);
    let [tries, state]: [number, string | undefined] = [0, 'running'];
    while (state === 'running' && tries++ < 30) {
      dieAfter = 1;
      state = (await work()).job?.state;
    }
    expect(state).toBe('success');
    expect(tries).toBeGreaterThan(2);
    const removed = on_removed === 'delete' ? 240 : 0;
    expect(sent).toHaveLength(240 + 1_000 + removed);
    expect(new Set(sent).size).toBe(sent.length);
    expect((await sync(id)).sent).toEqual([]);
    const kept = await store.syncs.kept.find({ integration: id }).toArray();
    expect(kept.reduce((sum, { rows }) => sum + rows, 0)).toBe(1_200 - 240 + 1_000);
  },
);

it('rows without a key, and with that of another row, fail and stop no other; then nobody is removed', async () => {
  await insert([...many(0, 3), { id: 'c00001', plan: 'other' }, { id: null, plan: 'x' }]);
  const id = await make({ on_removed: 'delete' });
  expect((await sync(id)).job).toMatchObject({ state: 'partial', synced: 3, failed: 2 });
  const rows = await store.syncs.rows.find({}).toArray();
  expect(rows.map(({ reason }) => reason).sort()).toEqual([
    'another row has the same value in the column id',
    'the column id is empty, and rows are told apart by it',
  ]);
  await customers.deleteOne({ id: 'c00002' });
  const { job, sent } = await sync(id);
  expect(sent.filter((text) => text.startsWith('users.delete'))).toEqual([]);
  expect(job?.reason).toContain('nobody was removed');
  await customers.deleteMany({ id: null });
  expect((await sync(id)).sent).toContain('users.delete {"external_id":"c00002"}');
});

it('rows that fail are tried again until they change, and no more when they are gone', async () => {
  await insert([
    { id: 'bad', dob: 'long ago' },
    { id: 'worse', dob: 'later' },
  ]);
  const id = await make();
  expect((await sync(id)).job).toMatchObject({ state: 'partial', failed: 2 });
  expect((await sync(id)).job).toMatchObject({ state: 'partial', failed: 2 });
  await customers.deleteOne({ id: 'worse' });
  await customers.updateOne({ id: 'bad' }, { $set: { dob: '1906-12-09' } });
  expect(names((await sync(id)).sent)).toEqual(['bad']);
  expect(await store.syncs.retries.countDocuments()).toBe(0);
});

it('another key, or another way with rows that are gone, begins anew', async () => {
  await insert(many(0, 2));
  const id = await make();
  await sync(id);
  await change(id, { on_removed: 'delete' });
  expect((await sync(id)).sent).toHaveLength(2);
  expect((await sync(id)).sent).toEqual([]);
});

describe('what is kept under settings of before', () => {
  /** More than one transaction may remove. */
  const documents = 2_500;
  const prepare = async () => {
    await insert(many(0, 2));
    const id = await make();
    await sync(id);
    const rows = Array.from({ length: documents }, (_, n) => ({ key: `x${n}`, hash: Buffer.alloc(8) }));
    const owner = { _id: id, ws: 'demo' };
    await store.syncs.kept.insertMany(rows.map((row) => keptDocument(owner, keptId(owner, row.key), [row])));
    expect((await change(id, { on_removed: 'delete' })).status).toBe(200);
    return id;
  };

  it('is removed by the next job, a bounded number at once', async () => {
    const id = await prepare();
    expect(await store.syncs.kept.countDocuments()).toBe(documents + 1);
    const removing = jest.spyOn(store.syncs.kept, 'deleteMany');
    expect((await sync(id)).sent).toHaveLength(2);
    expect(removing).toHaveBeenCalledTimes(3);
    removing.mockRestore();
    expect(await store.syncs.kept.countDocuments()).toBe(1);
    expect(await store.syncs.integrations.findOne({ _id: id })).not.toHaveProperty('stale');
  });

  it('is not removed by a process that has lost the job', async () => {
    const id = await prepare();
    await begin(id);
    const lease = await take();
    const integration = await store.syncs.integrations.findOne({ _id: id });
    if (!integration) throw new Error('no integration');
    await store.syncs.jobs.updateMany({}, { $inc: { token: 1 } });
    await expect(forgetStale(store, lease, integration)).rejects.toMatchObject({ name: 'LeaseLost' });
    lease.end();
    expect(await store.syncs.kept.countDocuments()).toBe(documents + 1);
  });
});

it.each([
  [{ on_removed: 'delete', data: 'events' }, 'it goes with attributes'],
  [{ on_removed: 'delete', key: 'plan' }, 'the key must be the identifier'],
  [{ on_removed: 'null', columns: undefined, payload: 'plan' }, 'must stand in columns'],
])('settings that cannot be right are told: %j', async (more, expected) => {
  await insert(many(0, 1));
  const { error } = await sync(await make(more));
  expect(error).toMatchObject({ kind: 'config', message: expect.stringContaining(expected) });
});

it('what is kept of a row takes little room', async () => {
  await insert(many(0, 2_000));
  await sync(await make());
  const sizes = await store.syncs.kept
    .aggregate<{ bytes: number }>([{ $group: { _id: null, bytes: { $sum: { $bsonSize: '$$ROOT' } } } }])
    .toArray();
  expect((sizes[0]?.bytes ?? 0) / 2_000).toBeLessThan(20);
});
