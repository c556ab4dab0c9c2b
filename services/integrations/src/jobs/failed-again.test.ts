/** Rows that failed, are tried again and are corrected, on a real PostgreSQL: each counts as what became of it last. */
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

const { store, test, apply, run, take, begin } = useJobs('postgresql', database);

beforeEach(async () => {
  await db.query(`DROP TABLE IF EXISTS customers;
    CREATE TABLE customers (id text COLLATE "C", external_id text, product_id text, currency text, price text, time text DEFAULT '2026-01-31T10:00:00Z', updated_at timestamptz DEFAULT now() - interval '1 s');
    INSERT INTO customers SELECT n, 'ada', 'p' || n, CASE WHEN n > 4 THEN 'EUR' ELSE 'XXXX' END, '1' FROM generate_series(1, 6) n`);
});

const columns = { product_id: 'product_id', currency: 'currency', price: 'price', time: 'time' };

/** `refuses`: as if the handler had refused the products. */
const sync = async (id: string, refuses: readonly string[] = []) => {
  await begin(id);
  const lease = await take();
  await run(lease, {
    send(chunk) {
      const { purchases = [] }: { purchases?: { product_id: string }[] } = JSON.parse(String(chunk.body));
      const results = purchases.map(({ product_id }) =>
        refuses.includes(product_id) ? 'ignored:no' : 'created',
      );
      return apply(chunk, { entries: { purchases: results } });
    },
  }).finally(() => lease.end());
  const { _id } = lease.job;
  const { body } = await test.send('cdi.integration_job_rows', {
    params: { integration_id: id, job_id: _id },
  });
  const { state, synced, failed } = (await store.syncs.jobs.findOne({ _id })) ?? {};
  return { state, synced, failed, told: (body as { results: unknown[] }).results.length };
};

const correct = (ids: string, value = 'EUR') =>
  db.query(`UPDATE customers SET currency = '${value}', updated_at = now() WHERE id = ANY ('${ids}')`);

it('of two rows of one person, the one that fails is told', async () => {
  const id = await makeIntegration(test, { columns: { dob: 'time' } });
  await db.query(
    "DELETE FROM customers WHERE id > '2'; UPDATE customers SET time = CASE WHEN id = '1' THEN 'long ago' ELSE '1906-12-10' END",
  );
  await db.query(
    "INSERT INTO customers (external_id, time) SELECT 'p' || n, '1906-12-09' FROM generate_series(1, 998) n",
  );
  await db.query(
    "UPDATE customers SET updated_at = now() - interval '1 h' WHERE id = '1'; UPDATE customers SET updated_at = now() WHERE id = '2'",
  );
  expect(await sync(id)).toMatchObject({ state: 'partial', synced: 999, failed: 1, told: 1 });
});

describe.each([['diff'], ['incremental']])('in the mode %s', (mode) => {
  const make = () => makeIntegration(test, { data: 'purchases', key: 'id', mode, columns });

  it('those that were corrected do not count as failed', async () => {
    const id = await make();
    expect(await sync(id)).toEqual({ state: 'partial', synced: 2, failed: 4, told: 4 });
    await correct('{1,2,3}');
    expect(await sync(id)).toEqual({ state: 'partial', synced: 3, failed: 1, told: 1 });
    expect(await sync(id)).toEqual({ state: 'partial', synced: 0, failed: 1, told: 1 });
    await correct('{4}', 'YYYY');
    expect(await sync(id)).toEqual({ state: 'partial', synced: 0, failed: 1, told: 1 });
    await correct('{4}');
    expect(await sync(id)).toEqual({ state: 'success', synced: 1, failed: 0, told: 0 });
  });

  it('nor do those that a handler had refused', async () => {
    const id = await make();
    await correct('{1,2,3,4}');
    expect(await sync(id, ['p1', 'p2', 'p6'])).toMatchObject({ synced: 3, failed: 3, told: 3 });
    await db.query("UPDATE customers SET product_id = 'q', updated_at = now() WHERE id = '1'");
    expect(await sync(id, ['p1', 'p2', 'p6'])).toMatchObject({ synced: 1, failed: 2, told: 2 });
    expect(await sync(id)).toEqual({ state: 'success', synced: 2, failed: 0, told: 0 });
  });
});
