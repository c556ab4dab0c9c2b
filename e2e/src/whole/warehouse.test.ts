/** A table of a warehouse, from `roster integration create` to exported profiles: Redshift, for which a PostgreSQL stands. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runRoster } from '../run-roster.ts';
import { useWhole, useWorkspace } from '../shared.ts';
import { createSyncing, useTables } from '../syncing.ts';

const system = useWorkspace('redshift');
const whole = useWhole();
const db = useTables(whole);
const { get, attributes } = createSyncing(system);

/** What a command says when it succeeds. */
const roster = async (...args: string[]): Promise<string> => {
  const env = { ...whole.variables, ROSTER_WORKSPACE: system.ws };
  const { code, out, err } = await runRoster(env, ['integration', ...args]);
  if (code !== 0) throw new Error(`${out}${err}`);
  return out.trim();
};

it('Redshift: a first sync by the command line, rows that have changed or came late, and a row that fails', async () => {
  await db.query(`
    CREATE SCHEMA crm;
    CREATE TABLE crm.customers (customer_id int8, plan varchar(20), balance numeric(12, 2), is_member bool, joined date, updated_at timestamptz);
    INSERT INTO crm.customers SELECT n, 'free', n + 0.25, n % 2 = 0, '2026-01-30', '2026-01-31T10:00:00.000123Z' FROM generate_series(1, 1200) n;`);
  const file = join(whole.filesDir, 'redshift.yaml');
  writeFileSync(
    file,
    `integration_name: Customers
connection: redshift
table: crm.customers
data: attributes
identifier: { by: external_id, column: customer_id }
`,
  );
  const id = await roster('create', file);
  const tested = await roster('test', id);
  expect(tested).toContain('identifier: external_id in customer_id');
  expect(tested.match(/-> \{.*"plan":"free"/g)).toHaveLength(3);
  expect(await roster('run', id)).toBe('success, 1,200 rows synced, 0 failed');
  expect(await get(`/cdi/integrations/${id}`)).toMatchObject({
    warehouse_type: 'redshift',
    last_job_status: 'success',
    last_updated_at: '2026-01-31T10:00:00.000123Z',
  });
  const first = { plan: 'free', balance: 1200.25, is_member: true, joined: '2026-01-30T00:00:00.000Z' };
  expect(await attributes('1200')).toEqual(first);
  expect(await roster('run', id)).toBe('success, 0 rows synced, 0 failed');
  await db.query(`
    UPDATE crm.customers SET plan = 'gold', updated_at = '2026-01-31T10:10:00Z' WHERE customer_id < 3;
    INSERT INTO crm.customers VALUES (1201, 'late', 1, false, '2026-01-30', '2026-01-31T09:58:00Z'), (NULL, 'none', 1, false, NULL, '2026-01-31T10:11:00Z')`);
  expect(await roster('run', id)).toBe('partial, 3 rows synced, 1 failed');
  expect(await roster('rows', id)).toContain('the column customer_id is empty');
  expect(await attributes('1')).toMatchObject({ plan: 'gold', balance: 1.25 });
  expect(await attributes('1201')).toMatchObject({ plan: 'late' });
  expect(await attributes('1200')).toEqual(first);
});
