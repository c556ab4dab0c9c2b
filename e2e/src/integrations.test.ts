/** Rows of a real PostgreSQL become profiles, events, purchases, deletes and subscription states. */
import { useDatabase } from '@roster/testkit';
import { Client } from 'pg';
import { type Answer, createSyncing, inShort } from './syncing.ts';
import { type System, startSystem } from './system.ts';

jest.setTimeout(120_000);

let db: Client;
let system: System;

useDatabase('postgresql', async (url) => {
  process.env.ROSTER_CREDENTIAL_WAREHOUSE = url;
  db = new Client(url);
  await db.connect();
  system = await startSystem({
    identity: {},
    subscription: true,
    integrations: { jobs: { firstPauseMs: 50, mostTries: 3 } },
  });
  return async () => {
    await system.stop();
    await db.end();
  };
});

const { get, create, sync, attributes } = createSyncing(() => system);

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
  const numbers = (await system.store.events.find()).map(
    ({ properties }) => JSON.parse(properties ?? '{}').n,
  );
  expect(numbers).toHaveLength(714);
  expect(new Set(numbers).size).toBe(700);
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
  const stored = (await system.store.purchases.find()).map(({ product_id, price, properties }) => [
    product_id,
    price,
    properties,
  ]);
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

it('bad rows are kept with their reasons and stop nothing', async () => {
  await db.query(`
    CREATE TABLE mixed (external_id text, payload text, updated_at timestamptz);
    INSERT INTO mixed SELECT CASE n % 4 WHEN 0 THEN NULL ELSE 'm' || n END, CASE n % 4 WHEN 1 THEN 'no json' WHEN 2 THEN '{"country":"Atlantis"}' ELSE '{"plan":"gold"}' END,
      '2026-01-31T10:00:00Z'::timestamptz + n * interval '1 second' FROM generate_series(0, 59) n;`);
  const id = await create({ data: 'attributes', table: 'mixed' });
  const job = await sync(id);
  expect(inShort(job)).toBe('partial 30+30');
  const { results } = await get(`/cdi/integrations/${id}/jobs/${job.job_id}/rows`);
  expect(new Set((results as Answer[]).map(({ reason }) => reason))).toContain(
    'the column external_id is empty',
  );
  expect(await attributes('m3')).toEqual({ plan: 'gold' });
});

it('wrong settings and a source that does not answer say so in words', async () => {
  const id = await create({ data: 'attributes', table: 'nowhere' });
  expect(await sync(id)).toMatchObject({
    job_status: 'config_error',
    reason: expect.stringContaining('nowhere'),
  });
  expect(await get(`/cdi/integrations/${id}`)).toMatchObject({ integration_status: 'draft' });
  await system.send(`/cdi/integrations/${id}`, {
    method: 'PATCH',
    body: { table: 'customers', identifier: { by: 'email', column: 'mail' } },
  });
  expect(await sync(id)).toMatchObject({
    job_status: 'config_error',
    reason: expect.stringContaining('customers has no column mail'),
  });
});
