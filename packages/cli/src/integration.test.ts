import { mkdir, rm, writeFile } from 'node:fs/promises';
import { completeSettings } from '@roster/access';
import { openStore, type Store } from '@roster/store';
import { type TestServer, until, usedMongo, useFolder, usePostgresql } from '@roster/testkit';
import { Client } from 'pg';
import { run } from './test-io.ts';

describe('roster integration', () => {
  let server: TestServer;
  let store: Store;
  const inFolder = useFolder();
  const env: Record<string, string> = {};
  const files: Record<string, string> = {};

  const roster = (line: string) =>
    run(`integration ${line}`, { env: { MONGO_URL: server.url, ...env }, files });

  const create = async (settings: object): Promise<string> => {
    files['it.yaml'] = JSON.stringify({
      integration_name: 'Customers',
      connection: 'warehouse',
      table: 'customers',
      data: 'attributes',
      ...settings,
    });
    const { code, out, err } = await roster('create it.yaml');
    expect({ code, err }).toMatchObject({ code: 0 });
    return out.trim();
  };

  /** Of a new integration with these settings. */
  const test = async (settings: object = {}) => {
    const id = await create(settings);
    return { id, ...(await roster(`test ${id}`)) };
  };

  usePostgresql(async (url) => {
    env.ROSTER_CREDENTIAL_WAREHOUSE = url;
    const db = new Client(url);
    await db.connect();
    await db.query(`
      CREATE TABLE customers (external_id text, country text, updated_at timestamptz);
      CREATE TABLE newcomers (LIKE customers);
      INSERT INTO customers VALUES ('ada', 'DE', '2026-01-31T10:00:00Z'), (NULL, 'DE', '2026-01-31T11:00:00Z')`);
    await db.end();
    server = await usedMongo();
    store = await openStore({ url: server.url, appName: 'test', patienceMs: 0, ensureIndexes: true });
    const database = { url: { env: 'ROSTER_CREDENTIAL_WAREHOUSE' }, tls: 'off' };
    const endpoint = 'http://127.0.0.1:1';
    const token = { env: 'ROSTER_CREDENTIAL_TOKEN' };
    env.ROSTER_CREDENTIAL_TOKEN = 's3cret-word';
    const connections = [
      { ...database, id: 'warehouse', kind: 'postgresql' },
      { ...database, id: 'redshift', kind: 'redshift' },
      { id: 'exports', kind: 'files', folder: 'shop', format: 'csv' },
      { id: 'bigquery', kind: 'bigquery', credentials: token, endpoint },
      { id: 'snowflake', kind: 'snowflake', account: 'shop-main', user: 'roster', token, endpoint },
      { id: 'databricks', kind: 'databricks', warehouse: 'w1', token, endpoint },
    ];
    await store.workspaces.put(completeSettings({ id: 'shop', integrations: { connections } }));
    return async () => {
      await store.close();
      await server.close();
    };
  });

  it('refuses a file that the interface would refuse', async () => {
    files['bad.yaml'] = 'integration_name: x\nconnection: warehouse\ntable: t\ndata: weather';
    expect(await roster('create bad.yaml')).toMatchObject({ code: 2, err: expect.stringContaining('data') });
    files['bad.yaml'] = 'integration_name: x\nconnection: warehose\ntable: t\ndata: events';
    const { code, err } = await roster('create bad.yaml');
    expect(code).toBe(2);
    expect(err).toContain('has no connection warehose. Did you mean warehouse?');
  });

  it('shows rows as they would be sent, and what is wrong with them', async () => {
    const { id, code, out } = await test();
    expect(code).toBe(0);
    expect(out).toContain('identifier: external_id in external_id');
    expect(out).toContain('-> {"country":"DE","external_id":"ada"}');
    expect(out).toContain('!! the column external_id is empty');
    expect(await store.syncs.integrations.findOne({ _id: id })).toMatchObject({ state: 'active' });
  });

  it('says that a table has no rows yet', async () => {
    const { code, out } = await test({ table: 'newcomers' });
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('there are no rows yet') });
  });

  it('shows rows of files, and refuses a table of them', async () => {
    env.FILES_DIR = inFolder();
    await mkdir(inFolder('shop'));
    const rows = 'external_id,country,updated_at\nada,DE,2026-01-31T10:00:00Z\n';
    await writeFile(inFolder('shop/a.csv'), rows);
    const { id, code, out } = await test({ connection: 'exports', table: undefined });
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('-> {"country":"DE"') });
    expect(out).toContain('each sync reads all files again');
    await rm(inFolder('shop'), { recursive: true });
    expect((await roster(`test ${id}`)).err).toContain('FILES_DIR has no folder shop that can be read');
    files['bad.yaml'] = 'integration_name: x\nconnection: exports\ntable: t\ndata: events';
    expect((await roster('create bad.yaml')).err).toContain('table must be left out');
  });

  it.each([
    ['a table', { table: 'nowhere' }, 'nowhere'],
    ['a column', { updated_at: 'changed' }, 'there is no column changed'],
    ['an identifier', { identifier: { by: 'email', column: 'mail' } }, 'there is no column mail'],
  ])('says in words that %s is missing', async (_, settings, words) => {
    const { id, code, err } = await test(settings);
    expect(code).toBe(2);
    expect(err).toContain(words);
    expect(await store.syncs.integrations.findOne({ _id: id })).toMatchObject({ state: 'draft' });
  });

  it('shows rows of Redshift, and says that late rows can not be seen there', async () => {
    const { code, out } = await test({ connection: 'redshift' });
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('-> {"country":"DE"') });
    expect(out).toContain('look_back_seconds');
  });

  it.each([
    ['redshift', 'there is no table crm.customers'],
    ['bigquery', 'must be the key file (JSON) of a service account'],
    ['snowflake', '127.0.0.1:1 refuses the connection'],
    ['databricks', '127.0.0.1:1 refuses the connection'],
  ])('says in words what is wrong with %s', async (connection, words) => {
    const { code, err } = await test({ connection, table: 'crm.customers' });
    expect(code).not.toBe(0);
    expect(err).toContain(words);
    expect(err).not.toContain('s3cret-word');
  });

  it('says which credential is missing, and shows none', async () => {
    const id = await create({});
    const { ROSTER_CREDENTIAL_WAREHOUSE: url = '' } = env;
    delete env.ROSTER_CREDENTIAL_WAREHOUSE;
    expect((await roster(`test ${id}`)).err).toContain('the variable ROSTER_CREDENTIAL_WAREHOUSE is not set');
    env.ROSTER_CREDENTIAL_WAREHOUSE = url.replace('roster@', 'nobody-sees-this@');
    const { err } = await roster(`test ${id}`);
    expect(err).toMatch(/password/);
    expect(err).not.toContain('nobody-sees-this');
    env.ROSTER_CREDENTIAL_WAREHOUSE = url;
  });

  it.each([
    ['diff', 'all but the first of them fail'],
    ['incremental', 'equal rows of one moment may count once'],
  ])('says that a key is not unique: %s', async (mode, words) => {
    const { code, out } = await test({ mode, key: 'country' });
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringContaining(`!! several rows have DE in country: ${words}`),
    });
  });

  it.each([
    ['is not there', 'nowhere', "the log nowhere can't be written: there is no such table"],
    ['has other columns', 'customers', 'it needs job, key, operation, result and reason'],
  ])('says that the table of the log %s', async (_, table, words) => {
    const { code, err } = await test({ log: { table } });
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(words) });
  });

  it('shows how far a job is, and when it will end at this rate', async () => {
    const id = await create({ integration_name: 'Slow' });
    await roster(`run ${id} --no-wait`);
    const began = new Date('2026-11-21T11:59:00Z');
    await store.syncs.jobs.updateOne(
      { integration: id },
      { $set: { began, expected: 100_000_000, synced: 19_000, failed: 1_000 } },
    );
    expect((await roster('list')).out).toContain('20,000 of about 100,000,000 rows, eta 83:19:00');
    await store.syncs.jobs.updateOne({ integration: id }, { $unset: { expected: 1 } });
    expect((await roster('list')).out).toContain('running   20,000 rows');
  });

  it('tells of one row that it is one, and that the log lacks rows', async () => {
    const id = await create({});
    const run = roster(`run ${id}`);
    const job = await until(() => store.syncs.jobs.findOne({ integration: id }));
    const log_error = 'there is no such table';
    await store.syncs.jobs.updateOne({ _id: job._id }, { $set: { state: 'success', synced: 1, log_error } });
    const { out, err } = await run;
    expect(out).toBe('success, 1 row synced, 0 failed\n');
    expect(err).toContain('The log lacks rows of this job: there is no such table');
  });

  it('begins one job at a time, and pauses', async () => {
    const id = await create({});
    expect(await roster(`run ${id} --no-wait`)).toMatchObject({
      code: 0,
      out: expect.stringContaining('has begun'),
    });
    expect((await roster(`run ${id}`)).err).toContain('another job is in progress');
    expect((await roster(`pause ${id}`)).code).toBe(0);
    expect((await roster(`run ${id}`)).err).toContain('the integration is paused');
    expect((await roster('list')).out).toContain('paused');
    expect((await roster(`resume ${id}`)).code).toBe(0);
    expect((await roster(`rows ${id}`)).out).toContain('no row failed');
  });
});
