/** Diff mode: rows that leave a table and come back, on a real PostgreSQL. */
import { endJob } from '@roster/integrations';
import { usePostgresql } from '@roster/testkit';
import { Client } from 'pg';
import { makeIntegration } from '../testbed.ts';
import { useJobs } from './testbed.ts';

let db: Client;
const database = usePostgresql(async (url) => {
  db = new Client(url);
  await db.connect();
  return () => db.end();
});

const { store, test, apply, run, take, begin, change } = useJobs('postgresql', database);

/** The process dies when so many requests were saved. */
let dieAfter = Number.POSITIVE_INFINITY;
beforeEach(async () => {
  dieAfter = Number.POSITIVE_INFINITY;
  await db.query(`DROP TABLE IF EXISTS customers, away;
    CREATE TABLE customers (external_id text COLLATE "C" PRIMARY KEY, plan text, name text DEFAULT 'bought', time text DEFAULT '2026-01-31T10:00:00Z',
      product_id text DEFAULT 'cap', currency text DEFAULT 'EUR', price int DEFAULT 1, subscription_group_id text DEFAULT 'news',
      subscription_state text DEFAULT 'subscribed');
    INSERT INTO customers SELECT 'p' || lpad(n::text, 4, '0'), 'gold' FROM generate_series(1, 300) n`);
});

const columns = {
  attributes: { plan: 'plan' },
  events: { name: 'name', time: 'time', plan: 'plan' },
  purchases: { product_id: 'product_id', currency: 'currency', price: 'price', time: 'time' },
  deletes: {},
  subscription_states: {
    subscription_group_id: 'subscription_group_id',
    subscription_state: 'subscription_state',
  },
};

const make = (data: keyof typeof columns, more: object = {}): Promise<string> =>
  makeIntegration(test, { data, mode: 'diff', columns: columns[data], ...more });

/** How many rows were sent, and how the job ended. */
const work = async () => {
  let sent = 0;
  const lease = await take();
  const error: unknown = await run(lease, {
    async send(chunk) {
      dieAfter -= 1;
      if (dieAfter < 0) throw new Error('the process is killed');
      sent += chunk.entries;
      await apply(chunk);
    },
    async again(chunk) {
      if (await store.requests.findOne({ _id: chunk._id })) return chunk;
      sent += chunk.entries;
      await apply(chunk);
      return chunk;
    },
  }).catch((error) => error);
  lease.end();
  const job = lease.job._id;
  if (error && dieAfter < 0) await lease.giveBack({});
  else if (error)
    await store.transact(async (session) => {
      await endJob(store, { job, how: 'config_error', reason: String(error), session });
    });
  const { state, reason = '' } = (await store.syncs.jobs.findOne({ _id: job })) ?? {};
  return { sent, state, reason };
};

const sync = async (id: string) => {
  await begin(id);
  return work();
};

const some = "external_id > 'p0060'";
const leave = (where = 'true') =>
  db.query(
    `CREATE TABLE away AS SELECT * FROM customers WHERE ${where}; DELETE FROM customers WHERE ${where}`,
  );
const comeBack = () => db.query('INSERT INTO customers SELECT * FROM away; DROP TABLE away');

describe.each(['delete', 'null'])('a sync that removes nobody, with on_removed %s', (on_removed) => {
  it.each([
    ['all', 'true'],
    ['most', some],
  ])('knows the rows that come back: %s', async (_, where) => {
    const id = await make('attributes', { on_removed });
    expect(await sync(id)).toMatchObject({ sent: 300 });
    await leave(where);
    for (const _again of [1, 2])
      expect(await sync(id)).toMatchObject({
        ...{ sent: 0, state: 'config_error' },
        reason: expect.stringContaining('nobody was removed'),
      });
    await comeBack();
    await db.query("UPDATE customers SET plan = 'free' WHERE external_id = 'p0200'");
    expect(await sync(id)).toMatchObject({ sent: 1, state: 'success' });
    expect(await sync(id)).toMatchObject({ sent: 0 });
    await db.query("DELETE FROM customers WHERE external_id = 'p0200'");
    expect(await sync(id)).toMatchObject({ sent: 1, state: 'success' });
    await db.query("INSERT INTO customers VALUES ('p0200', 'free')");
    expect(await sync(id)).toMatchObject({ sent: 1, state: 'success' });
  });
});

describe.each(['events', 'purchases'] as const)('rows of %s', (data) => {
  it.each([
    ['all', 'true', 'those that come back within 30 days'],
    ['a few', "external_id < 'p0041'", ''],
  ])('count once, when %s leave and come back', async (_, where, told) => {
    const id = await make(data);
    expect(await sync(id)).toMatchObject({ sent: 300 });
    await leave(where);
    expect(await sync(id)).toMatchObject({
      sent: 0,
      state: 'success',
      reason: expect.stringContaining(told),
    });
    expect((await sync(id)).reason).toBe('');
    await comeBack();
    await db.query(
      "UPDATE customers SET time = '2026-02-01T10:00:00Z' WHERE external_id = 'p0007'; INSERT INTO customers VALUES ('q', 'gold')",
    );
    expect(await sync(id)).toMatchObject({ sent: 2, state: 'success' });
    expect(await sync(id)).toMatchObject({ sent: 0 });
  });
});

it('rows of events count again when they come back after 30 days', async () => {
  const id = await make('events');
  await sync(id);
  await leave();
  await sync(id);
  const age = async (days: number) => {
    for (const { _id, went } of await store.syncs.kept.find({}, { promoteBuffers: true }).toArray()) {
      const then = Buffer.from(went ?? []);
      for (let at = 0; at < then.length; at += 2) then.writeUInt16BE(then.readUInt16BE(at) - days, at);
      await store.syncs.kept.updateOne({ _id }, { $set: { went: then } });
    }
  };
  await age(30);
  await sync(id);
  expect(await store.syncs.kept.countDocuments()).toBe(1);
  await age(1);
  await sync(id);
  expect(await store.syncs.kept.countDocuments()).toBe(0);
  await comeBack();
  expect(await sync(id)).toMatchObject({ sent: 300 });
});

it.each(['attributes', 'subscription_states'] as const)(
  'rows of %s are known when most of them come back, new when a few do',
  async (data) => {
    const id = await make(data);
    await sync(id);
    await leave(some);
    for (const _ of [1, 2])
      expect(await sync(id)).toMatchObject({
        ...{ sent: 0, state: 'success' },
        reason: expect.stringContaining('240 of 300 rows are no longer in the table: those that come back'),
      });
    await comeBack();
    expect(await sync(id)).toMatchObject({ sent: 0, reason: '' });
    await leave("external_id < 'p0041'");
    expect(await sync(id)).toMatchObject({ sent: 0, reason: '' });
    const [kept] = await store.syncs.kept.find({}).toArray();
    expect(kept).toMatchObject({ rows: 260, gone: 0 });
    await comeBack();
    expect(await sync(id)).toMatchObject({ sent: 40 });
  },
);

it('a person whose row comes back into a table of deletes is deleted again', async () => {
  const id = await make('deletes', { columns: undefined });
  await sync(id);
  await leave();
  expect(await sync(id)).toMatchObject({ sent: 0, reason: '' });
  await comeBack();
  expect(await sync(id)).toMatchObject({ sent: 300 });
});

it('a row that had failed is sent when it comes back', async () => {
  await db.query("UPDATE customers SET time = 'long ago' WHERE external_id = 'p0007'");
  const id = await make('events');
  expect(await sync(id)).toMatchObject({ sent: 299, state: 'partial' });
  await leave();
  await sync(id);
  await comeBack();
  expect(await sync(id)).toMatchObject({ sent: 0, state: 'partial' });
});

it('so is one whose columns are gone by then', async () => {
  await db.query("UPDATE customers SET time = 'long ago' WHERE external_id = 'p0007'");
  const id = await make('events');
  await sync(id);
  await leave();
  await sync(id);
  await change(id, { columns: { name: 'name', time: 'time' } });
  await db.query(
    "ALTER TABLE customers DROP COLUMN plan; ALTER TABLE away DROP COLUMN plan; UPDATE away SET time = '2026-02-01T10:00:00Z' WHERE external_id = 'p0007'",
  );
  await comeBack();
  expect(await sync(id)).toMatchObject({ sent: 1, state: 'success' });
});

describe.each([
  ['all', 'true'],
  ['every third', "external_id LIKE '%3'"],
])('%s, away while columns change:', (_, where) => {
  const giveBack = async () => {
    await comeBack();
    await db.query("UPDATE customers SET time = '2026-02-01T10:00:00Z' WHERE external_id = 'p0013'");
  };
  /** With a row whose documents are written anew. */
  const syncBeside = async (id: string, key: string) => {
    await db.query(`INSERT INTO customers VALUES ('${key}', 'gold')`);
    expect(await sync(id)).toMatchObject({ sent: 1, state: 'success' });
  };
  const fewer = { name: 'name', time: 'time' };

  it.each([
    ['fewer', [fewer]],
    ['fewer, and those of before again', [fewer, columns.events]],
  ])('rows of events do not count again, and a changed one does: %s', async (_, changes) => {
    const id = await make('events');
    await sync(id);
    await leave(where);
    await sync(id);
    for (const [n, columns] of changes.entries()) {
      await change(id, { columns });
      await syncBeside(id, `p0001${n}`);
      await syncBeside(id, `q${n}`);
    }
    await giveBack();
    expect(await sync(id)).toMatchObject({ sent: 1 });
    expect(await sync(id)).toMatchObject({ sent: 0 });
  });

  it('rows whose columns are gone are known by their keys', async () => {
    const id = await make('events');
    await sync(id);
    await leave(where);
    await change(id, { columns: fewer });
    await db.query('ALTER TABLE customers DROP COLUMN plan; ALTER TABLE away DROP COLUMN plan');
    await sync(id);
    await giveBack();
    expect(await sync(id)).toMatchObject({ sent: 0 });
  });
});

it('wherever processes die, rows of events that leave and come back count once', async () => {
  await db.query(
    "INSERT INTO customers SELECT 'r' || lpad(n::text, 4, '0'), 'gold' FROM generate_series(1, 2200) n",
  );
  const id = await make('events');
  let all = 0;
  const through = async (): Promise<void> => {
    await begin(id);
    for (let tries = 0; tries < 40; tries += 1) {
      dieAfter = 1;
      const { sent, state } = await work();
      all += sent;
      if (state !== 'running') break;
    }
    dieAfter = Number.POSITIVE_INFINITY;
  };
  await through();
  expect(all).toBe(2_500);
  await leave("external_id LIKE '%3'");
  await db.query(
    "INSERT INTO customers SELECT 's' || lpad(n::text, 4, '0'), 'gold' FROM generate_series(1, 1100) n",
  );
  await through();
  expect(all).toBe(3_600);
  await comeBack();
  await db.query("UPDATE customers SET plan = 'free' WHERE external_id LIKE '%7'");
  await through();
  expect(all).toBe(3_600 + 360);
  expect(await sync(id)).toMatchObject({ sent: 0 });
});
