import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { completeSettings } from '@roster/access';
import { openStore, type Store } from '@roster/store';
import { type TestServer, testMongo, usePostgresql } from '@roster/testkit';
import { Client } from 'pg';
import { runCommand } from './program.ts';
import { anIo } from './test-io.ts';

describe('roster integration', () => {
  let server: TestServer;
  let store: Store;
  const env: Record<string, string> = {};
  const files: Record<string, string> = {};

  const roster = async (...args: string[]) => {
    const world = anIo({ env: { MONGO_URL: server.url, ...env }, files });
    const code = await runCommand(['integration', ...args], world.io);
    return { code, out: world.out(), err: world.err() };
  };

  const create = async (settings: object): Promise<string> => {
    files['it.yaml'] = JSON.stringify({
      integration_name: 'Customers',
      connection: 'warehouse',
      table: 'customers',
      data: 'attributes',
      ...settings,
    });
    const { code, out, err } = await roster('create', 'it.yaml');
    expect({ code, err }).toMatchObject({ code: 0 });
    return out.trim();
  };

  usePostgresql(async (url) => {
    env.ROSTER_CREDENTIAL_WAREHOUSE = url;
    const db = new Client(url);
    await db.connect();
    await db.query(`
      CREATE TABLE customers (external_id text, country text, updated_at timestamptz);
      INSERT INTO customers VALUES ('ada', 'DE', '2026-01-31T10:00:00Z'), (NULL, 'DE', '2026-01-31T11:00:00Z')`);
    await db.end();
    server = await testMongo();
    store = await openStore({ url: server.url, appName: 'test', patienceMs: 0, ensureIndexes: true });
    const connection = {
      id: 'warehouse',
      kind: 'postgresql',
      url: { env: 'ROSTER_CREDENTIAL_WAREHOUSE' },
      tls: 'off',
    };
    const exports = { id: 'exports', kind: 'files', folder: 'shop', format: 'csv' };
    await store.workspaces.put(
      completeSettings({ id: 'shop', integrations: { connections: [connection, exports] } }),
    );
    return async () => {
      await store.close();
      await server.close();
    };
  });

  it('refuses a file that the interface would refuse', async () => {
    files['bad.yaml'] = 'integration_name: x\nconnection: warehouse\ntable: t\ndata: weather';
    expect(await roster('create', 'bad.yaml')).toMatchObject({
      code: 2,
      err: expect.stringContaining('data'),
    });
    files['bad.yaml'] = 'integration_name: x\nconnection: warehose\ntable: t\ndata: events';
    const { code, err } = await roster('create', 'bad.yaml');
    expect(code).toBe(2);
    expect(err).toContain('has no connection warehose. Did you mean warehouse?');
  });

  it('shows rows as they would be sent, and what is wrong with them', async () => {
    const id = await create({});
    const { code, out } = await roster('test', id);
    expect(code).toBe(0);
    expect(out).toContain('identifier: external_id in external_id');
    expect(out).toContain('-> {"country":"DE","external_id":"ada"}');
    expect(out).toContain('!! the column external_id is empty');
    expect(await store.syncs.integrations.findOne({ _id: id })).toMatchObject({ state: 'active' });
  });

  it('shows rows of files, and refuses a table of them', async () => {
    env.FILES_DIR = await mkdtemp(join(tmpdir(), 'roster-files-'));
    await mkdir(join(env.FILES_DIR, 'shop'));
    await writeFile(
      join(env.FILES_DIR, 'shop/a.csv'),
      'external_id,country,updated_at\nada,DE,2026-01-31T10:00:00Z\n',
    );
    const id = await create({ connection: 'exports', table: undefined });
    const { code, out } = await roster('test', id);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('-> {"country":"DE"') });
    expect(out).toContain('each sync reads all files again');
    await rm(env.FILES_DIR, { recursive: true });
    expect((await roster('test', id)).err).toContain('FILES_DIR has no folder shop that can be read');
    files['bad.yaml'] = 'integration_name: x\nconnection: exports\ntable: t\ndata: events';
    expect((await roster('create', 'bad.yaml')).err).toContain('table must be left out');
  });

  it.each([
    ['a table', { table: 'nowhere' }, 'nowhere'],
    ['a column', { updated_at: 'changed' }, 'there is no column changed'],
    ['an identifier', { identifier: { by: 'email', column: 'mail' } }, 'there is no column mail'],
  ])('says in words that %s is missing', async (_, settings, words) => {
    const id = await create(settings);
    const { code, err } = await roster('test', id);
    expect(code).toBe(2);
    expect(err).toContain(words);
    expect(await store.syncs.integrations.findOne({ _id: id })).toMatchObject({ state: 'draft' });
  });

  it('says which credential is missing, and shows none', async () => {
    const id = await create({});
    const { ROSTER_CREDENTIAL_WAREHOUSE: url = '' } = env;
    delete env.ROSTER_CREDENTIAL_WAREHOUSE;
    expect((await roster('test', id)).err).toContain('the variable ROSTER_CREDENTIAL_WAREHOUSE is not set');
    env.ROSTER_CREDENTIAL_WAREHOUSE = url.replace('roster@', 'nobody-sees-this@');
    const { err } = await roster('test', id);
    expect(err).toMatch(/password/);
    expect(err).not.toContain('nobody-sees-this');
    env.ROSTER_CREDENTIAL_WAREHOUSE = url;
  });

  it('begins one job at a time, and pauses', async () => {
    const id = await create({});
    expect(await roster('run', id, '--no-wait')).toMatchObject({
      code: 0,
      out: expect.stringContaining('has begun'),
    });
    expect((await roster('run', id)).err).toContain('another job is in progress');
    expect((await roster('pause', id)).code).toBe(0);
    expect((await roster('run', id)).err).toContain('the integration is paused');
    expect((await roster('list')).out).toContain('paused');
    expect((await roster('resume', id)).code).toBe(0);
    expect((await roster('rows', id)).out).toContain('no row failed');
  });
});
