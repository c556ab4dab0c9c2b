/** Rows of real databases, most of them of a PostgreSQL, become profiles, events, purchases, deletes and subscription states. */
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { limitKey } from '@roster/queue';
import { foreignMongo, until, useMariadb } from '@roster/testkit';
import { MongoClient } from 'mongodb';
import { type Connection, createConnection } from 'mysql2/promise';
import { useWhole, useWorkspace } from '../shared.ts';
import { createSyncing, inShort, useTables } from '../syncing.ts';
import { settingsOf, waiting } from '../system.ts';

const system = useWorkspace('tables');
const whole = useWhole();
const db = useTables(whole);
const { get, create, sync, attributes, reasonsOf } = createSyncing(system);

/** Rows of other workspaces stand beside them. */
const isOurs = ({ ws }: { ws: string }): boolean => ws === system.ws;

it('attributes: a full sync, then what has changed, and rows that were committed late', async () => {
  await db.query(`
    CREATE TABLE customers (external_id text, plan text, visits int8, updated_at timestamptz);
    INSERT INTO customers SELECT 'c' || n, 'free', n, '2026-01-31T10:00:00Z' FROM generate_series(1, 1200) n;`);
  const id = await create({ data: 'attributes', table: 'customers' });
  expect(inShort(await sync(id))).toBe('success 1200+0');
  expect(await attributes('c1200')).toEqual({ plan: 'free', visits: 1200 });
  expect(await get(`/cdi/integrations/${id}`)).toMatchObject({
    integration_status: 'active',
    last_job_status: 'success',
    last_updated_at: '2026-01-31T10:00:00.000000Z',
  });
  expect(inShort(await sync(id))).toBe('success 0+0');
  await db.query(`
    UPDATE customers SET plan = 'gold', updated_at = '2026-01-31T10:10:00Z' WHERE external_id IN ('c1', 'c2');
    INSERT INTO customers VALUES ('a-equal', 'free', 1, '2026-01-31T10:00:00Z'), ('late', 'free', 1, '2026-01-31T09:58:00Z'),
      ('too-late', 'free', 1, '2026-01-31T09:50:00Z');`);
  expect(inShort(await sync(id))).toBe('success 4+0');
  expect(await attributes('c1')).toEqual({ plan: 'gold', visits: 1 });
  expect(await attributes('late')).toEqual({ plan: 'free', visits: 1 });
  expect(await attributes('too-late')).toBeUndefined();
});

it('events: each once, however often their window is read again', async () => {
  await db.query(`
    CREATE TABLE clicks (id int8, email text, payload jsonb, updated_at timestamp);
    INSERT INTO clicks SELECT n, 'p' || n % 7 || '@example.com',
      jsonb_build_object('name', 'clicked', 'time', '2026-01-31T10:00:00Z', 'properties', jsonb_build_object('n', n)),
      '2026-01-31 10:00:00'::timestamp + n * interval '1 millisecond' FROM generate_series(0, 699) n;`);
  const id = await create({
    data: 'events',
    table: 'clicks',
    key: 'id',
    identifier: { by: 'email', column: 'email' },
  });
  expect(inShort(await sync(id))).toBe('success 700+0');
  expect(inShort(await sync(id))).toBe('success 0+0');
  await db.query(`INSERT INTO clicks SELECT id + 700, email, payload, updated_at FROM clicks WHERE id < 14;`);
  expect(inShort(await sync(id))).toBe('success 14+0');
  const numbers = (await system.store.events.find())
    .filter(isOurs)
    .map(({ properties }) => JSON.parse(properties ?? '{}').n);
  expect(numbers).toHaveLength(714);
  expect(new Set(numbers).size).toBe(700);
});

it('the audit log has the network of the caller of each change', async () => {
  await db.query('CREATE TABLE audited (external_id text, plan text, updated_at timestamptz)');
  const id = await create({ data: 'attributes', table: 'audited' });
  await system.insist((caller) => caller.patch(`/cdi/integrations/${id}`).send({ paused: true }));
  await system.insist((caller) => caller.delete(`/cdi/integrations/${id}`));
  const found = await system.store.audit.list({ target: id, limit: 10 });
  const set = { ws: system.ws, from: '127.0.0.0/24' };
  expect(found).toMatchObject(
    ['created', 'paused', 'deleted'].map((deed) => ({ what: `integration.${deed}`, set })),
  );
});

it('purchases: a column for each member, decimal prices too', async () => {
  await db.query(`
    CREATE TABLE orders (order_id int8, buyer text, sku text, currency text, price numeric(10, 2), ordered timestamptz, colour text, updated_at timestamptz);
    INSERT INTO orders VALUES (1, 'c1', 'lamp', 'EUR', 12.50, '2026-01-30T09:00:00Z', 'red', '2026-01-31T10:00:00Z'),
      (2, 'c1', 'lamp', 'EUR', 12.50, '2026-01-30T09:00:00Z', 'red', '2026-01-31T10:00:00Z'),
      (3, 'c1', 'desk', 'XXX', 99, '2026-01-30T09:00:00Z', 'red', '2026-01-31T10:00:00Z');`);
  const id = await create({
    data: 'purchases',
    table: 'orders',
    key: 'order_id',
    identifier: { by: 'external_id', column: 'buyer' },
    columns: { product_id: 'sku', currency: 'currency', price: 'price', time: 'ordered', colour: 'colour' },
  });
  const job = await sync(id);
  expect(inShort(job)).toBe('partial 2+1');
  const stored = (await system.store.purchases.find())
    .filter(isOurs)
    .map(({ product_id, price, properties }) => [product_id, price, properties]);
  expect(stored).toEqual([
    ['lamp', 12.5, '{"colour":"red"}'],
    ['lamp', 12.5, '{"colour":"red"}'],
  ]);
  const { results } = await get(`/cdi/integrations/${id}/jobs/${job.job_id}/rows`);
  expect(results).toEqual([
    {
      reason: expect.stringContaining('currency'),
      updated_at: '2026-01-31T10:00:00.000000Z',
      row: expect.stringContaining('desk'),
    },
  ]);
});

it('deletes and subscription states', async () => {
  await system.track({
    attributes: ['s1', 's2', 's3'].map((external_id) => ({
      external_id,
      email: `${external_id}@example.com`,
    })),
  });
  await db.query(`
    CREATE TABLE consents (external_id text, subscription_group_id text, subscription_state text, updated_at timestamptz);
    INSERT INTO consents VALUES ('s1', 'demo-news', 'unsubscribed', '2026-01-31T10:00:00Z'), ('s2', 'demo-news', 'subscribed', '2026-01-31T10:00:00Z'),
      ('s3', 'nowhere', 'subscribed', '2026-01-31T10:00:00Z');
    CREATE TABLE gone (external_id text, updated_at timestamptz);
    INSERT INTO gone VALUES ('s3', '2026-01-31T10:00:00Z'), ('never-there', '2026-01-31T10:00:00Z'), (NULL, '2026-01-31T10:00:00Z');`);
  expect(inShort(await sync(await create({ data: 'subscription_states', table: 'consents' })))).toBe(
    'partial 2+1',
  );
  const states = await get(
    '/subscription/status/get?subscription_group_id=demo-news&external_id[]=s1&external_id[]=s2',
  );
  expect(states).toMatchObject({ status: { s1: 'Unsubscribed', s2: 'Subscribed' } });
  expect(inShort(await sync(await create({ data: 'deletes', table: 'gone' })))).toBe('partial 2+1');
  expect(await system.exported('s3', ['external_id'])).toBeUndefined();
});

it('rows that failed are tried again in each later sync, until they succeed or change', async () => {
  await db.query(`
    CREATE TABLE again (alias_name text, alias_label text, dob text, updated_at timestamptz);
    INSERT INTO again SELECT 'again-' || n, 'shop', CASE n WHEN 2 THEN 'long ago' ELSE '1815-12-10' END, '2026-01-31T10:00:00Z' FROM generate_series(1, 3) n;`);
  const alias = (n: number) => ({ user_alias: { alias_name: `again-${n}`, alias_label: 'shop' } });
  const make = (n: number) =>
    system.track({ attributes: [{ ...alias(n), _update_existing_only: false, plan: 'free' }] });
  await make(1);
  const id = await create({ data: 'attributes', table: 'again' });
  const first = await sync(id);
  expect(inShort(first)).toBe('partial 1+2');
  expect(await reasonsOf(id, first)).toContain('no_such_user');
  const second = await sync(id);
  expect(inShort(second)).toBe('partial 0+2');
  expect(await reasonsOf(id, second)).toHaveLength(2);
  await make(3);
  expect(inShort(await sync(id))).toBe('partial 1+1');
  await make(2);
  await db.query(
    `UPDATE again SET dob = '1906-12-09', updated_at = '2026-01-31T11:00:00Z' WHERE alias_name = 'again-2'`,
  );
  // What the row said before fails once more, and what it says now takes the place of that, also in the count.
  const corrected = await sync(id);
  expect(inShort(corrected)).toBe('success 1+0');
  expect(await reasonsOf(id, corrected)).toEqual([]);
  expect(inShort(await sync(id))).toBe('success 0+0');
  expect(await system.store.syncs.retries.countDocuments({ integration: id })).toBe(0);
});

it('of rows about the same that failed the last one is tried again, and no older one', async () => {
  await db.query(`
    CREATE TABLE older (alias_name text, alias_label text, plan text, updated_at timestamptz);
    INSERT INTO older SELECT 'older-' || n % 600, 'shop', 'plan-' || n, '2026-01-31T10:00:00Z'::timestamptz + n * interval '1 second'
      FROM generate_series(0, 600) n;
    INSERT INTO older SELECT alias_name, alias_label, 'last', updated_at + interval '1 millisecond' FROM older WHERE plan = 'plan-7';`);
  const id = await create({ data: 'attributes', table: 'older' });
  // The first one stands in the first request and in the second, the seventh twice in the first.
  expect(inShort(await sync(id))).toBe('partial 0+602');
  const { retries } = system.store.syncs;
  expect(await retries.countDocuments({ integration: id })).toBe(600);
  for (const [alias_name, plan] of Object.entries({ 'older-0': 'plan-600', 'older-7': 'last' })) {
    const kept = await retries.find({ integration: id, key: alias_name }).toArray();
    expect(kept.map(({ entry }) => JSON.parse(entry).plan)).toEqual([plan]);
  }
});

it('rows that failed go with their person, also those under a name that a merge took from them', async () => {
  await db.query(`
    CREATE TABLE leaving AS SELECT name AS external_id, 'long ago' AS dob, '2026-01-31T10:00:00Z'::timestamptz AS updated_at
      FROM unnest(ARRAY['leaving', 'leaving-before', 'staying']) name`);
  const attributes = ['leaving', 'leaving-before', 'staying'].map((external_id) => ({ external_id }));
  await system.track({ attributes });
  const id = await create({ data: 'attributes', table: 'leaving' });
  expect(inShort(await sync(id))).toBe('partial 0+3');
  const people = {
    identifier_to_merge: { external_id: 'leaving-before' },
    identifier_to_keep: { external_id: 'leaving' },
  };
  await system.insist((caller) =>
    caller
      .post('/users/merge')
      .send({ merge_updates: [people] })
      .set(waiting),
  );
  // Tried again after the merge: it still is what the table said before.
  expect(inShort(await sync(id))).toBe('partial 0+3');
  await system.insist((caller) => caller.post('/users/delete').send({ external_ids: ['leaving'] }));
  const { retries, rows } = system.store.syncs;
  const left = (of: typeof retries | typeof rows) => of.countDocuments({ integration: id });
  await until(async () => (await left(rows)) <= 2 && (await left(retries)) <= 1);
  const kept = (await rows.find({ integration: id }).toArray()).map(({ row }) => row);
  expect(kept).toEqual([expect.stringContaining('staying'), expect.stringContaining('staying')]);
});

it('a row is not missed whose transaction began before others and is committed long after them, also when the clock of the source is wrong', async () => {
  const late = { right: '0', wrong: '1 hour' };
  const clocks = Object.keys(late) as (keyof typeof late)[];
  const begun = await Promise.all(
    clocks.map(async (clock) => {
      const table = `orders_by_${clock}_clock`;
      await db.query(
        `CREATE TABLE ${table} (external_id text, plan text, updated_at timestamptz DEFAULT now() - interval '${late[clock]}')`,
      );
      return create({ data: 'attributes', table, look_back_seconds: 0 });
    }),
  );
  const syncBoth = async (): Promise<string[]> =>
    (await Promise.all(begun.map((id) => sync(id)))).map(inShort);
  /** Each in a transaction of its own, by the clock of its table. */
  const insert = async (name: string): Promise<void> => {
    for (const clock of clocks)
      await db.query(
        `INSERT INTO orders_by_${clock}_clock VALUES ('${clock}-${name}', 'gold', clock_timestamp() - interval '${late[clock]}')`,
      );
  };
  await insert('before');
  await db.aside('BEGIN');
  for (const clock of clocks)
    await db.aside(
      `INSERT INTO orders_by_${clock}_clock (external_id, plan) VALUES ('${clock}-long', 'gold')`,
    );
  // Longer than a sync takes, which is read again anyway.
  await until(async () => {
    const { rows } = await db.aside("SELECT clock_timestamp() - now() > interval '6 seconds' AS is_old");
    return rows[0].is_old;
  });
  await insert('meanwhile');
  expect(await syncBoth()).toEqual(['success 2+0', 'success 2+0']);
  await insert('later');
  expect(await syncBoth()).toEqual(['success 1+0', 'success 1+0']);
  await db.aside('COMMIT');
  expect(await syncBoth()).toEqual(['success 1+0', 'success 1+0']);
  for (const clock of clocks) expect(await attributes(`${clock}-long`)).toEqual({ plan: 'gold' });
});

it('diff mode: what was added, has changed, or is gone, of a table whose rows have no time', async () => {
  await db.query(`
    CREATE TABLE members (id uuid PRIMARY KEY, plan text);
    INSERT INTO members SELECT md5(n::text)::uuid, 'free' FROM generate_series(1, 1200) n;`);
  const identifier = { by: 'external_id', column: 'id' };
  const more = { mode: 'diff', on_removed: 'delete', identifier };
  const id = await create({ data: 'attributes', table: 'members', ...more });
  expect(inShort(await sync(id))).toBe('success 1200+0');
  expect(inShort(await sync(id))).toBe('success 0+0');
  await db.query(`
    UPDATE members SET plan = 'gold' WHERE id = md5('7')::uuid;
    DELETE FROM members WHERE id = md5('8')::uuid;
    INSERT INTO members VALUES (md5('new')::uuid, 'free');`);
  expect(inShort(await sync(id))).toBe('success 3+0');
  const [seventh, eighth] = ['8f14e45f-ceea-167a-5a36-dedd4bea2543', 'c9f0f895-fb98-ab91-59f5-1fd0297e236d'];
  expect(await attributes(seventh)).toEqual({ plan: 'gold' });
  expect(await system.exported(eighth, ['external_id'])).toBeUndefined();
  await db.query('DELETE FROM members');
  expect(await sync(id)).toMatchObject({
    job_status: 'config_error',
    reason: expect.stringContaining('1200 of 1200 rows are no longer in the table'),
  });
  expect(await attributes(seventh)).toEqual({ plan: 'gold' });
});

it('wrong settings and a source that does not answer say so in words', async () => {
  const id = await create({ data: 'attributes', table: 'nowhere' });
  expect(await sync(id)).toMatchObject({
    job_status: 'config_error',
    reason: expect.stringContaining('nowhere'),
  });
  expect(await get(`/cdi/integrations/${id}`)).toMatchObject({ integration_status: 'draft' });
  const change = { table: 'customers', identifier: { by: 'email', column: 'mail' } };
  await system.caller.patch(`/cdi/integrations/${id}`).send(change);
  expect(await sync(id)).toMatchObject({
    job_status: 'config_error',
    reason: expect.stringContaining('there is no column mail; there are external_id, plan'),
  });
});

it('rows are paid from the first half of each window, and what callers send meanwhile is not refused', async () => {
  const day = 86_400;
  const points = 400;
  const { limits, ...settings } = settingsOf('payers');
  const work = { requests: points, seconds: day };
  const payer = await whole.open('payers', { ...settings, limits: { ...limits, work } });
  await db.query(`
    CREATE TABLE paid AS SELECT 'paid-' || n AS external_id, repeat('x', 150) AS note, '2026-01-31T10:00:00Z'::timestamptz AS updated_at
    FROM generate_series(1, 3000) n`);
  const { create, end } = createSyncing(payer);
  const id = await create({ data: 'attributes', table: 'paid' });
  const key = limitKey('payers', 'work', Math.floor(Date.now() / 1000 / day));
  const begun = await payer.insist((caller) => caller.post(`/cdi/integrations/${id}/sync`));
  expect(begun.status).toBe(202);
  const { jobs, chunks } = payer.store.syncs;
  await until(async () => Number(await payer.redis.get(key)) >= points / 2);
  await until(async () => (await chunks.countDocuments({ integration: id, state: 'open' })) === 0);
  const job = await jobs.findOne({ integration: id });
  expect(job?.state).toBe('running');
  expect(job?.synced).toBeLessThan(3000);
  await payer.caller
    .post('/users/track')
    .send({ attributes: [{ external_id: 'caller' }] })
    .expect(201);
  // As if other days came.
  const ended = await until(async () => {
    await payer.redis.del(key);
    return end(id);
  });
  expect(inShort(ended)).toBe('success 3000+0');
});

const script = (path: string): string => readFileSync(join(__dirname, '../../fixtures', path), 'utf8');

describe('tables that others have made by their own conventions', () => {
  it('models and a snapshot of dbt: a first run, and an incremental one', async () => {
    await db.query(script('dbt/shop.sql'));
    await db.query(script('dbt/recorded/first.sql'));
    const identifier = { by: 'external_id', column: 'customer_id' };
    const customers = await create({ data: 'attributes', table: 'analytics.dim_customers', identifier });
    const orders = await create({
      data: 'purchases',
      table: 'analytics.fct_orders',
      updated_at: '_loaded_at',
      key: 'order_id',
      identifier,
      columns: { product_id: 'sku', currency: 'currency', price: 'amount', time: 'placed_at' },
    });
    const versions = await create({
      data: 'events',
      table: 'snapshots.customers_snapshot',
      updated_at: 'dbt_updated_at',
      key: 'dbt_scd_id',
      identifier,
      columns: { plan: 'plan', name: 'plan' },
    });
    const all = async () => [
      inShort(await sync(customers)),
      inShort(await sync(orders)),
      inShort(await sync(versions)),
    ];
    expect(await all()).toEqual(['success 3+0', 'success 3+0', 'partial 2+1']);
    expect(await attributes('1')).toEqual({
      plan: 'free',
      preferences: { newsletter: true, topics: ['lamps'] },
      number_of_orders: 2,
      lifetime_value: 212.49,
      most_recent_order_at: expect.stringContaining('2026-01-31T09:30:00'),
    });
    await db.query(script('dbt/shop-later.sql'));
    await db.query(script('dbt/recorded/second.sql'));
    // dbt has written all four customers anew: those whose row is the same are not applied again.
    expect((await all()).slice(0, 2)).toEqual(['success 3+0', 'success 1+0']);
    expect(await attributes('1')).toMatchObject({ plan: 'gold' });
    expect(await attributes('2')).toMatchObject({ number_of_orders: 2, lifetime_value: 234 });
    expect(await system.exported('2', ['email', 'first_name', 'total_revenue'])).toEqual({
      email: 'grace@example.com',
      first_name: 'Grace',
      total_revenue: 234,
    });
    expect((await all()).slice(0, 2)).toEqual(['success 0+0', 'success 0+0']);
  });

  it('tables of a cloud data ingestion', async () => {
    await db.query(script('cloud-ingestion/postgresql.sql'));
    await system.track({
      attributes: [
        { external_id: 'cloud-2', email: 'cloud-2@example.com' },
        { user_alias: { alias_name: 'cloud-alias', alias_label: 'shop' }, plan: 'free' },
      ],
    });
    const run = async (data: string): Promise<string> =>
      inShort(await sync(await create({ data, table: `ingestion.users_${data}_sync` })));
    expect(await run('attributes')).toBe('partial 2+3');
    expect(await attributes('cloud-1')).toMatchObject({
      attribute_1: 'abcdefg',
      attribute_5: { inner: [1, 2] },
    });
    expect(await attributes('cloud-2')).toEqual({ attribute_1: 'by email' });
    expect(await run('events')).toBe('success 2+0');
    expect(await run('purchases')).toBe('success 1+0');
    expect(await system.exported('cloud-1', ['total_revenue'])).toMatchObject({ total_revenue: 599.98 });
    expect(await run('deletes')).toBe('success 2+0');
    expect(await system.exported('cloud-1', ['external_id'])).toBeUndefined();
  });
});

describe('tables of MySQL and MariaDB', () => {
  let admin: Connection;
  useMariadb(async (url) => {
    admin = await createConnection({ uri: url, multipleStatements: true, timezone: 'Z' });
    writeFileSync(join(whole.credentials, 'e2e-shop'), url);
    return () => admin.end();
  });

  it('a full sync, what has changed, and what is committed late within the window', async () => {
    await admin.query(`
      CREATE TABLE buyers (external_id varchar(20), plan varchar(9), visits bigint, member boolean, updated_at datetime(6));
      INSERT INTO buyers SELECT concat('my-', seq), 'free', seq, seq % 2, '2026-01-31 10:00:00' FROM seq_1_to_1200`);
    const id = await create({ connection: 'shop', data: 'attributes', table: 'buyers' });
    expect(inShort(await sync(id))).toBe('success 1200+0');
    expect(await attributes('my-1200')).toEqual({ plan: 'free', visits: 1200, member: false });
    await admin.query(`
      UPDATE buyers SET plan = 'gold', updated_at = '2026-01-31 10:10:00' WHERE external_id IN ('my-1', 'my-2');
      INSERT INTO buyers VALUES ('my-late', 'free', 1, true, '2026-01-31 09:58:00'), ('my-too-late', 'free', 1, true, '2026-01-31 09:50:00')`);
    expect(inShort(await sync(id))).toBe('success 3+0');
    expect(await attributes('my-1')).toEqual({ plan: 'gold', visits: 1, member: true });
    expect(await attributes('my-late')).toMatchObject({ plan: 'free' });
    expect(await attributes('my-too-late')).toBeUndefined();
  });

  it('diff mode, with texts whose collation does not tell them apart', async () => {
    await admin.query(`
      CREATE TABLE fans (name varchar(40) COLLATE utf8mb4_general_ci, city varchar(40)) CHARACTER SET utf8mb4;
      INSERT INTO fans SELECT concat(if(seq % 2, 'fan-', 'FAN-'), seq), 'Paris' FROM seq_1_to_1200;
      INSERT INTO fans VALUES ('fan-a', 'Rome'), ('FAN-A', 'Rome'), ('fan-ä', 'Rome')`);
    const identifier = { by: 'external_id', column: 'name' };
    const more = { mode: 'diff', on_removed: 'null', identifier, columns: { city: 'city' } };
    const id = await create({ connection: 'shop', data: 'attributes', table: 'fans', ...more });
    expect(inShort(await sync(id))).toBe('success 1203+0');
    await admin.query(`
      DELETE FROM fans WHERE name = BINARY 'FAN-A';
      UPDATE fans SET city = 'Oslo' WHERE name = BINARY 'fan-ä'`);
    expect(inShort(await sync(id))).toBe('success 2+0');
    const found = await Promise.all(['fan-a', 'FAN-A', 'fan-ä'].map(attributes));
    expect(found).toEqual([{ city: 'Rome' }, {}, { city: 'Oslo' }]);
    expect(inShort(await sync(id))).toBe('success 0+0');
  });
});

describe('collections of MongoDB', () => {
  let client: MongoClient;
  beforeAll(async () => {
    const url = foreignMongo();
    client = new MongoClient(url, { runtimeAdapters: { os } });
    writeFileSync(join(whole.credentials, 'e2e-documents'), url);
  });
  afterAll(async () => {
    await client.db().dropDatabase();
    await client.close();
  });

  it('a full sync, what has changed, documents in documents, and a field that few have', async () => {
    const people = client
      .db()
      .collection<{ _id: number; plan: string; address: object; rare?: boolean; updatedAt: Date }>('people');
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 31, 10, minute));
    const numbers = Array.from({ length: 700 }, (_, n) => n + 1);
    await people.insertMany(
      numbers.map((n) => ({
        _id: n,
        plan: 'free',
        address: { city: `city ${n}` },
        ...(n === 700 && { rare: true }),
        updatedAt: at(0),
      })),
    );
    const id = await create({
      connection: 'documents',
      data: 'attributes',
      table: 'people',
      updated_at: 'updatedAt',
      identifier: { by: 'external_id', column: '_id' },
      log: { table: 'log', rows: 'all' },
    });
    expect(inShort(await sync(id))).toBe('success 700+0');
    expect(await client.db().collection('log').countDocuments({ result: 'synced' })).toBe(700);
    expect(await attributes('700')).toEqual({ plan: 'free', address: { city: 'city 700' }, rare: true });
    await people.updateMany({ _id: { $lt: 3 } }, { $set: { plan: 'gold', updatedAt: at(10) } });
    expect(inShort(await sync(id))).toBe('success 2+0');
    expect(await attributes('1')).toMatchObject({ plan: 'gold' });
  });
});
