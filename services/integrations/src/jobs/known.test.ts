/** Which rows count once more, on tables of a real PostgreSQL. */
import { usePostgresql } from '@roster/testkit';
import { Client } from 'pg';
import { makeIntegration } from '../testbed.ts';
import { bodyOf } from './outcomes.ts';
import { useJobs } from './testbed.ts';

let db: Client;
const database = usePostgresql(async (url) => {
  db = new Client(url);
  await db.connect();
  return () => db.end();
});

const { store, test, apply, run, take, begin: beginJob, change } = useJobs('postgresql', database);

let sent: Record<string, unknown>[] = [];
const at = "'2026-01-31T10:00:00Z'";
beforeEach(async () => {
  sent = [];
  await db.query(`DROP TABLE IF EXISTS customers;
    CREATE TABLE customers (id int, external_id text, plan text, name text DEFAULT 'bought', updated_at timestamptz DEFAULT ${at});
    INSERT INTO customers SELECT n, 'p' || n % 20, 'gold' FROM generate_series(1, 100) n`);
});

/** What a sync sends. */
const sync = async (id: string): Promise<Record<string, unknown>[]> => {
  sent = [];
  await beginJob(id);
  const lease = await take();
  await run(lease, {
    async send(chunk) {
      sent.push(...Object.values(bodyOf(chunk)).flat());
      await apply(chunk);
    },
  }).finally(() => lease.end());
  return sent;
};

const make = (more: object) => makeIntegration(test, { columns: undefined, ...more });

/** As the version before has stored it. */
const asBefore = async (): Promise<void> => {
  await store.syncs.chunks.updateMany({}, { $unset: { ids: 1, layout: 1 } });
  await store.syncs.kept.updateMany({}, { $unset: { layout: 1 } });
  await store.syncs.integrations.updateMany({}, { $unset: { layouts: 1 } });
};

describe.each([
  ['kept by this version', async () => {}],
  ['kept by the version before', asBefore],
])('a row %s', (_, after) => {
  it('that goes gold, free and gold again within one time is gold', async () => {
    await db.query('DELETE FROM customers WHERE id > 20');
    const id = await make({ columns: { plan: 'plan' } });
    expect(await sync(id)).toHaveLength(20);
    await after();
    for (const plan of ['free', 'gold', 'free', 'gold']) {
      await db.query("UPDATE customers SET plan = $1 WHERE external_id = 'p7'", [plan]);
      expect(await sync(id)).toEqual([{ external_id: 'p7', plan }]);
      expect(await sync(id)).toEqual([]);
    }
  });

  it('is not sent again', async () => {
    const id = await make({ data: 'events', key: 'id' });
    expect(await sync(id)).toHaveLength(100);
    await after();
    expect(await sync(id)).toEqual([]);
  });
});

it('several rows of one key and time are each sent once, and together when one of them comes later', async () => {
  const id = await make({ columns: { plan: 'plan' } });
  await db.query("UPDATE customers SET plan = 'plan ' || id");
  expect(await sync(id)).toHaveLength(100);
  expect(await sync(id)).toEqual([]);
  await db.query("INSERT INTO customers VALUES (101, 'p7', 'new')");
  expect(await sync(id)).toEqual([{ external_id: 'p7', plan: 'new' }]);
  expect(await sync(id)).toEqual([]);
});

const changes: readonly [string, string, object][] = [
  ['a column that is added', 'ALTER TABLE customers ADD COLUMN more int DEFAULT 7', {}],
  ['a column that is dropped', 'ALTER TABLE customers DROP COLUMN plan', {}],
  ['a column that is renamed', 'ALTER TABLE customers RENAME COLUMN plan TO tier', {}],
  ['other columns', 'SELECT 1', { columns: { name: 'name' } }],
];

describe.each([
  ['events with a key', { data: 'events', key: 'id' }],
  ['events without a key', { data: 'events' }],
  ['purchases in diff mode', { data: 'purchases', key: 'id', mode: 'diff' }],
])('%s', (_, more) => {
  beforeEach(async () => {
    await db.query(`ALTER TABLE customers ADD COLUMN product_id text DEFAULT 'cap', ADD COLUMN currency text DEFAULT 'EUR',
      ADD COLUMN price int DEFAULT 1, ADD COLUMN time text DEFAULT ${at}, ADD COLUMN note text`);
    await db.query('UPDATE customers SET note = id');
  });

  it.each(changes)('do not count again with %s', async (_, sql, settings) => {
    const id = await make(more);
    expect(await sync(id)).toHaveLength(100);
    await db.query(sql);
    if ('columns' in settings) {
      const columns = {
        name: 'name',
        product_id: 'product_id',
        currency: 'currency',
        price: 'price',
        time: 'time',
      };
      await change(id, { columns });
    }
    expect(await sync(id)).toEqual([]);
    await db.query("INSERT INTO customers (id, external_id, note) VALUES (101, 'p21', '101')");
    expect(await sync(id)).toHaveLength(1);
    expect(await sync(id)).toEqual([]);
  });
});

it('a changed row is sent after a column was added, with that column', async () => {
  await db.query('DELETE FROM customers WHERE id > 20');
  const id = await make({ mode: 'diff' });
  await sync(id);
  await db.query(
    "ALTER TABLE customers ADD COLUMN more int DEFAULT 7; UPDATE customers SET plan = 'free' WHERE id = 7",
  );
  expect(await sync(id)).toMatchObject([{ external_id: 'p7', plan: 'free', more: 7 }]);
  expect(await sync(id)).toEqual([]);
});

it('in diff mode, what changes while a column is dropped is not counted; what changes before or after is', async () => {
  await db.query(
    `DELETE FROM customers WHERE id > 20; ALTER TABLE customers ADD COLUMN time text DEFAULT ${at}`,
  );
  const id = await make({ data: 'events', key: 'id', mode: 'diff' });
  const give = (n: number): Promise<unknown> =>
    db.query(`UPDATE customers SET external_id = 'other' WHERE id = ${n}`);
  await sync(id);
  await give(7);
  expect(await sync(id)).toHaveLength(1);
  await give(8);
  await db.query('ALTER TABLE customers DROP COLUMN plan');
  expect(await sync(id)).toEqual([]);
  await give(9);
  expect(await sync(id)).toHaveLength(1);
  expect(await sync(id)).toEqual([]);
});

it('costs 16 bytes a row', async () => {
  const id = await make({ data: 'events', key: 'id' });
  await sync(id);
  const chunks = await store.syncs.chunks.find({}, { promoteBuffers: true }).toArray();
  expect(chunks.reduce((sum, { hashes, ids }) => sum + hashes.length + (ids?.length ?? 0), 0)).toBe(1_600);
});
