/** Tables that others have made by their own conventions are synced as they are: those of dbt, and those of a cloud data ingestion. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { completeSettings } from '@roster/access';
import { useDatabase } from '@roster/testkit';
import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';
import { createSyncing, inShort } from './syncing.ts';
import { type System, startSystem } from './system.ts';

jest.setTimeout(120_000);

const script = (path: string): string => readFileSync(join(__dirname, '../fixtures', path), 'utf8');

let db: Client;
let system: System;

const mariadb = useDatabase('mariadb');

useDatabase('postgresql', async (url) => {
  process.env.ROSTER_CREDENTIAL_WAREHOUSE = url;
  process.env.ROSTER_CREDENTIAL_MYSQL = mariadb.url;
  db = new Client(url);
  await db.connect();
  const client = await createConnection({ uri: mariadb.url, multipleStatements: true });
  await client.query(script('cloud-ingestion/mariadb.sql'));
  await client.end();
  system = await startSystem({ identity: {}, integrations: {} });
  const connections = [
    { id: 'warehouse', kind: 'postgresql', url: { env: 'ROSTER_CREDENTIAL_WAREHOUSE' }, tls: 'off' },
    { id: 'mariadb', kind: 'mysql', url: { env: 'ROSTER_CREDENTIAL_MYSQL' }, tls: 'off' },
  ];
  const { store } = system;
  await store.workspaces.put(
    completeSettings({ ...(await store.workspaces.get('demo')), integrations: { connections } }),
  );
  return async () => {
    await system.stop();
    await db.end();
  };
});

const { get, create, sync, attributes } = createSyncing(() => system);

it('models and a snapshot of dbt: a first run, and an incremental one', async () => {
  await db.query(script('dbt/shop.sql'));
  await db.query(script('dbt/recorded/first.sql'));
  const customers = await create({
    data: 'attributes',
    table: 'analytics.dim_customers',
    identifier: { by: 'external_id', column: 'customer_id' },
  });
  const orders = await create({
    data: 'purchases',
    table: 'analytics.fct_orders',
    updated_at: '_loaded_at',
    key: 'order_id',
    identifier: { by: 'external_id', column: 'customer_id' },
    columns: { product_id: 'sku', currency: 'currency', price: 'amount', time: 'placed_at' },
  });
  const versions = await create({
    data: 'events',
    table: 'snapshots.customers_snapshot',
    updated_at: 'dbt_updated_at',
    key: 'dbt_scd_id',
    identifier: { by: 'external_id', column: 'customer_id' },
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
  expect(await all()).toEqual(['success 0+0', 'success 0+0', 'success 0+0']);

  await db.query(script('dbt/shop-later.sql'));
  await db.query(script('dbt/recorded/second.sql'));
  // dbt has written all four customers anew: those whose row is the same are not applied again.
  expect(await all()).toEqual(['success 3+0', 'success 1+0', 'success 2+0']);
  expect(await attributes('1')).toMatchObject({ plan: 'gold' });
  expect(await attributes('2')).toMatchObject({ number_of_orders: 2, lifetime_value: 234 });
  expect(await system.exported('2', ['email', 'first_name', 'total_revenue'])).toEqual({
    email: 'grace@example.com',
    first_name: 'Grace',
    total_revenue: 234,
  });
  expect(await all()).toEqual(['success 0+0', 'success 0+0', 'success 0+0']);
});

it.each([
  ['warehouse', 'ingestion.', 'partial 2+3'],
  ['mariadb', '', 'partial 2+2'],
])('tables of a cloud data ingestion in %s', async (connection, schema, ofAttributes) => {
  if (connection === 'warehouse') await db.query(script('cloud-ingestion/postgresql.sql'));
  await system.track({
    attributes: [
      { external_id: 'cloud-2', email: 'cloud-2@example.com' },
      { user_alias: { alias_name: 'cloud-alias', alias_label: 'shop' }, plan: 'free' },
    ],
  });
  const run = async (data: string): Promise<{ job: string; rows: unknown }> => {
    const id = await create({ connection, data, table: `${schema}users_${data}_sync` });
    const job = await sync(id);
    const { results } = await get(`/cdi/integrations/${id}/jobs/${job.job_id}/rows`);
    return { job: inShort(job), rows: (results as { reason: string }[]).map(({ reason }) => reason) };
  };
  expect(await run('attributes')).toEqual({ job: ofAttributes, rows: expect.any(Array) });
  expect(await attributes('cloud-1')).toMatchObject({
    attribute_1: 'abcdefg',
    attribute_5: { inner: [1, 2] },
  });
  expect(await attributes('cloud-2')).toEqual({ attribute_1: 'by email' });
  expect(await run('events')).toEqual({ job: 'success 2+0', rows: [] });
  expect(await run('purchases')).toEqual({ job: 'success 1+0', rows: [] });
  const one = await system.exported('cloud-1', ['purchases', 'total_revenue']);
  expect(one).toMatchObject({ total_revenue: 599.98 });
  expect(await run('deletes')).toEqual({ job: 'success 2+0', rows: [] });
  expect(await system.exported('cloud-1', ['external_id'])).toBeUndefined();
});
