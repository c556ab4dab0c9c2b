import { mkdir, writeFile } from 'node:fs/promises';
import type { Connection } from '@roster/access';
import type { IntegrationSettings } from '@roster/contract';
import { useFolder } from '@roster/testkit';
import { openTable, type ReadCredential } from './connect.ts';
import { entryOf } from './entry.ts';

const secret = 's3cret-word';

interface Opening extends Partial<IntegrationSettings> {
  read?: ReadCredential;
  filesDir?: string;
}

const open = (
  connection: Connection | undefined,
  { read = async () => secret, filesDir = '', ...settings }: Opening = {},
) =>
  openTable({
    connection,
    settings: { connection: connection?.id ?? 'w', ...settings },
    data: 'attributes',
    read,
    filesDir,
  });

const postgresql: Connection = {
  id: 'w',
  kind: 'postgresql',
  url: { env: 'ROSTER_CREDENTIAL_URL' },
  tls: 'off',
};

it('a source is read at its address, with the credential that is named', async () => {
  const read = async () => `postgresql://someone:${secret}@127.0.0.1:1/db`;
  const attempt = open(postgresql, { table: 'crm.users', read });
  await expect(attempt).rejects.toMatchObject({ code: 'connection_refused', kind: 'passing' });
  await expect(attempt).rejects.toThrow('127.0.0.1:1 refuses the connection');
});

it('a wrong credential is told without its words', async () => {
  const attempt = open(postgresql, { table: 'crm.users', read: async () => `mongodb://a:${secret}@h/db` });
  await expect(attempt).rejects.toMatchObject({ code: 'bad_settings' });
  await expect(attempt).rejects.not.toThrow(secret);
});

it('a credential that is not there is named', async () => {
  const read = () => Promise.reject(new Error('the variable ROSTER_CREDENTIAL_URL is not set'));
  const attempt = open(postgresql, { table: 'users', read });
  await expect(attempt).rejects.toMatchObject({ code: 'bad_settings', kind: 'config' });
  await expect(attempt).rejects.toThrow('ROSTER_CREDENTIAL_URL is not set');
});

it('a connection that is gone is told by its name', async () => {
  const attempt = open(undefined, { table: 'users' });
  await expect(attempt).rejects.toThrow('the workspace has no connection w any more');
});

describe('files', () => {
  const connection: Connection = { id: 'f', kind: 'files', folder: 'shop', format: 'ndjson' };
  const inFolder = useFolder({ forEach: true });
  const openShop = (more: Opening = {}) => open(connection, { filesDir: inFolder(), ...more });
  beforeEach(async () => {
    await mkdir(inFolder('shop'));
    const lines = ['{"EXTERNAL_ID":"a","Plan":"gold","UPDATED_AT":"2026-01-31"}', '{"external_id":"b"}'];
    await writeFile(inFolder('shop/a.ndjson'), lines.join('\n'));
  });

  it('are in a folder of FILES_DIR, and a line may have other members than the first ones', async () => {
    const { layout, source } = await openShop();
    const row = { EXTERNAL_ID: 'a', Visits: 7, UPDATED_AT: '2026-01-31' };
    expect(entryOf(layout, 'attributes', row).entry).toEqual({ external_id: 'a', visits: 7 });
    expect((await source.test()).sample).toHaveLength(1);
  });

  it('say nothing about a column that a line does not have', async () => {
    const { layout } = await openShop({ columns: { plan: 'Plan' } });
    const entry = (more: object) => entryOf(layout, 'attributes', { EXTERNAL_ID: 'a', ...more }).entry;
    expect(entry({})).toEqual({ external_id: 'a' });
    expect(entry({ Plan: null })).toEqual({ external_id: 'a', plan: null });
  });

  it('are none without FILES_DIR, and have no tables', async () => {
    await expect(openShop({ filesDir: '' })).rejects.toThrow('FILES_DIR is not set');
    await expect(openShop({ table: 't' })).rejects.toMatchObject({
      code: 'bad_settings',
      message: 'table must be left out: the connection f is of kind files, whose files are one table',
    });
  });
});

it('a bucket is read with the credentials that are named', async () => {
  const [access_key, secret_key] = [{ env: 'ROSTER_CREDENTIAL_KEY' }, { env: 'ROSTER_CREDENTIAL_SECRET' }];
  const attempt = open(
    { id: 'b', kind: 's3', bucket: 'exports', format: 'csv', access_key, secret_key },
    { read: (reference) => Promise.reject(new Error(`${JSON.stringify(reference)} is not there`)) },
  );
  await expect(attempt).rejects.toThrow('{"env":"ROSTER_CREDENTIAL_KEY"} is not there');
});

const reference = { env: 'ROSTER_CREDENTIAL_KEY' };
const endpoint = 'http://127.0.0.1:1';

it.each<Connection>([
  { id: 'w', kind: 'snowflake', account: 'shop-main', user: 'roster', token: reference, endpoint },
  { id: 'w', kind: 'databricks', warehouse: 'w1', token: reference, endpoint },
])('a warehouse of kind $kind is asked with the credential that is named', async (connection) => {
  const read = jest.fn(async () => secret);
  const attempt = open(connection, { table: 'main.crm.users', read });
  await expect(attempt).rejects.toMatchObject({ code: 'connection_refused', kind: 'passing' });
  expect(read).toHaveBeenCalledWith(reference);
});
