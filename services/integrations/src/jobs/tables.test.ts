/** Jobs on tables of a real PostgreSQL, and the log that they write into one. What they send counts as applied, but for people named `unknown`. */
import type { SyncChunkDocument } from '@roster/store';
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

/** After so many requests were applied, another process takes the job. */
let overtakenAfter = Number.POSITIVE_INFINITY;
let sent: unknown[] = [];
beforeEach(async () => {
  [overtakenAfter, sent] = [Number.POSITIVE_INFINITY, []];
  await db.query(`DROP TABLE IF EXISTS customers, log;
    CREATE TABLE customers (id int PRIMARY KEY, external_id text, dob text, updated_at timestamptz DEFAULT '2026-01-31T10:00:00Z');
    CREATE TABLE log (job text, key text, operation text, result text, reason text, PRIMARY KEY (job, key, result));
    INSERT INTO customers VALUES (1, 'ada', NULL), (2, 'unknown', NULL), (3, '', NULL), (4, 'grace', 'long ago'), (5, 'alan', '1912-06-23')`);
});

const send = async (chunk: SyncChunkDocument): Promise<void> => {
  const entries = Object.values(bodyOf(chunk)).flat();
  const attributes = entries.map(({ external_id }) =>
    external_id === 'unknown' ? 'ignored:no_such_user' : 'updated',
  );
  await apply(chunk, { entries: { attributes } });
  sent.push(...entries);
  overtakenAfter -= 1;
  if (overtakenAfter === 0) await store.syncs.jobs.updateMany({}, { $inc: { token: 1 } });
};

const work = async (): Promise<unknown> => {
  await store.syncs.jobs.updateMany({ state: 'running' }, { $set: { due: new Date() } });
  const lease = await take();
  const error: unknown = await run(lease, { send }).catch((error) => error);
  lease.end();
  return error;
};

const begin = async (log: object, more: object = {}): Promise<string> => {
  const settings = { key: 'id', columns: { dob: 'dob' }, log, ...more };
  const id = await makeIntegration(test, settings);
  await beginJob(id);
  return id;
};

const lines = async (): Promise<string[]> => {
  const { rows } = await db.query('SELECT * FROM log ORDER BY key, result');
  return rows.map(({ key, operation, result, reason }) =>
    [key, operation, result, reason ?? ''].join(' ').trim(),
  );
};

const jobOf = async (id: string) => {
  const { body } = await test.send('cdi.integration_job_status', { params: { integration_id: id } });
  return (body as { results: Record<string, unknown>[] }).results[0];
};

const failures = [
  '2 attributes failed no_such_user',
  '3 attributes failed the column external_id is empty',
  expect.stringMatching(/^4 attributes failed .*dob/),
];

it.each(['incremental', 'diff'])(
  'names the rows that failed, by their keys and with their reasons: %s',
  async (mode) => {
    const id = await begin({ table: 'log' }, { mode });
    expect(await work()).toBeUndefined();
    expect(await lines()).toEqual(failures);
    const { rows } = await db.query('SELECT DISTINCT job FROM log');
    const job = await jobOf(id);
    expect(rows).toEqual([{ job: job?.job_id }]);
    expect(job).toMatchObject({ job_status: 'partial', rows_synced: 2, rows_failed_with_errors: 3 });
    expect(job).not.toHaveProperty('log_error');
  },
);

it('names all rows when it is asked to, and in diff mode those that were removed', async () => {
  const id = await begin(
    { table: 'log', rows: 'all' },
    { mode: 'diff', on_removed: 'delete', key: 'external_id' },
  );
  await work();
  expect((await lines()).filter((line) => line.includes('synced'))).toEqual([
    'ada attributes synced',
    'alan attributes synced',
  ]);
  await db.query("DELETE FROM log; DELETE FROM customers WHERE external_id = 'ada' OR external_id = ''");
  await beginJob(id);
  await work();
  expect(await lines()).toContain('ada removed synced');
});

it('holds each line once when another process takes the job over after it was written', async () => {
  await begin({ table: 'log', rows: 'all' });
  overtakenAfter = 1;
  expect(await work()).toMatchObject({ name: 'LeaseLost' });
  const written = await lines();
  expect(written).toContain('1 attributes synced');
  expect(await store.syncs.chunks.countDocuments({ state: 'open' })).toBe(1);
  expect(await work()).toBeUndefined();
  expect(await lines()).toEqual(['1 attributes synced', ...failures, '5 attributes synced']);
});

it.each([
  ['a table that is not there', 'nowhere', 'there is no such table'],
  ['a name that is none', 'a.b.c', 'the table must be a name'],
  ['a table without its columns', 'customers', 'a column is missing'],
])('stops no sync and says why it lacks rows: %s', async (_, table, words) => {
  const id = await begin({ table });
  expect(await work()).toBeUndefined();
  const log_error = expect.stringContaining(words);
  expect(await jobOf(id)).toMatchObject({ job_status: 'partial', rows_synced: 2, log_error });
});

it('ends by a setting', async () => {
  const id = await begin({ table: 'log' });
  await change(id, { log: { table: 'log', rows: 'none' } });
  await work();
  expect(await lines()).toEqual([]);
});

it('applies each of 10,000 rows of one moment once, though the process of the job dies among them', async () => {
  await db.query(`CREATE TABLE clicks AS SELECT n AS id, 'p' || n % 50 AS external_id, 'clicked' AS name,
    '2026-01-31T10:00:00Z'::timestamptz AS updated_at FROM generate_series(1, 10000) n`);
  await begin({ table: 'log' }, { table: 'clicks', data: 'events', columns: { name: 'name', n: 'id' } });
  for (const requests of [1, 7, 3]) {
    overtakenAfter = requests;
    expect(await work()).toMatchObject({ name: 'LeaseLost' });
  }
  overtakenAfter = Number.POSITIVE_INFINITY;
  expect(await work()).toBeUndefined();
  const numbers = sent.map((entry) => (entry as { properties: { n: number } }).properties.n);
  expect(numbers).toHaveLength(10_000);
  expect(new Set(numbers).size).toBe(10_000);
});
