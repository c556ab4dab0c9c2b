import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '@roster/access';
import type { IntegrationSettings } from '@roster/contract';
import { openTable, type ReadCredential } from './connect.ts';
import { entryOf } from './entry.ts';

const open = (url: string) => {
  const read: ReadCredential = async () => url;
  return openTable({
    connection: { id: 'w', kind: 'postgresql', url: { env: 'ROSTER_CREDENTIAL_URL' }, tls: 'off' },
    settings: { connection: 'w', table: 'crm.users' },
    data: 'attributes',
    read,
    filesDir: '',
  });
};

it('a source is read at its address, with the credential that is named', async () => {
  const attempt = open('postgresql://someone:s3cret-word@127.0.0.1:1/db');
  await expect(attempt).rejects.toMatchObject({ code: 'connection_refused', kind: 'passing' });
  await expect(attempt).rejects.toThrow('127.0.0.1:1 refuses the connection');
});

it('a wrong credential is told without its words', async () => {
  const attempt = open('mongodb://someone:s3cret-word@127.0.0.1:1/db');
  await expect(attempt).rejects.toMatchObject({ code: 'bad_settings' });
  await expect(attempt).rejects.not.toThrow('s3cret-word');
});

it('a credential that is not there is named', async () => {
  const attempt = openTable({
    connection: { id: 'w', kind: 'postgresql', url: { env: 'ROSTER_CREDENTIAL_URL' } },
    settings: { connection: 'w', table: 'users' },
    data: 'attributes',
    read: () => Promise.reject(new Error('the variable ROSTER_CREDENTIAL_URL is not set')),
    filesDir: '',
  });
  await expect(attempt).rejects.toMatchObject({ code: 'bad_settings', kind: 'config' });
  await expect(attempt).rejects.toThrow('ROSTER_CREDENTIAL_URL is not set');
});

it('a connection that is gone is told by its name', async () => {
  const settings = { connection: 'w', table: 'users' };
  const attempt = openTable({
    connection: undefined,
    settings,
    data: 'attributes',
    read: async () => '',
    filesDir: '',
  });
  await expect(attempt).rejects.toThrow('the workspace has no connection w any more');
});

describe('files', () => {
  const connection: Connection = { id: 'f', kind: 'files', folder: 'shop', format: 'ndjson' };
  const openShop = (filesDir: string, more: Partial<IntegrationSettings> = {}) =>
    openTable({
      connection,
      settings: { connection: 'f', ...more },
      data: 'attributes',
      read: async () => '',
      filesDir,
    });
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'roster-files-'));
    await mkdir(join(dir, 'shop'));
    const lines = ['{"EXTERNAL_ID":"a","Plan":"gold","UPDATED_AT":"2026-01-31"}', '{"external_id":"b"}'];
    await writeFile(join(dir, 'shop/a.ndjson'), lines.join('\n'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('are in a folder of FILES_DIR, and a line may have other members than the first ones', async () => {
    const { layout, source } = await openShop(dir);
    const row = { EXTERNAL_ID: 'a', Visits: 7, UPDATED_AT: '2026-01-31' };
    expect(entryOf(layout, 'attributes', row).entry).toEqual({ external_id: 'a', visits: 7 });
    expect((await source.test()).sample).toHaveLength(1);
  });

  it('say nothing about a column that a line does not have', async () => {
    const { layout } = await openShop(dir, { columns: { plan: 'Plan' } });
    const row = (more: object) => ({ EXTERNAL_ID: 'a', ...more });
    expect(entryOf(layout, 'attributes', row({})).entry).toEqual({ external_id: 'a' });
    expect(entryOf(layout, 'attributes', row({ Plan: null })).entry).toEqual({
      external_id: 'a',
      plan: null,
    });
  });

  it('are none without FILES_DIR, and have no tables', async () => {
    await expect(openShop('')).rejects.toThrow('FILES_DIR is not set');
    await expect(openShop(dir, { table: 't' })).rejects.toMatchObject({
      code: 'bad_settings',
      message: 'table must be left out: the connection f is of kind files, whose files are one table',
    });
  });
});

it('a bucket is read with the credentials that are named', async () => {
  const attempt = openTable({
    connection: {
      id: 'b',
      kind: 's3',
      bucket: 'exports',
      format: 'csv',
      access_key: { env: 'ROSTER_CREDENTIAL_KEY' },
      secret_key: { env: 'ROSTER_CREDENTIAL_SECRET' },
    },
    settings: { connection: 'b' },
    data: 'attributes',
    read: (reference) => Promise.reject(new Error(`${JSON.stringify(reference)} is not there`)),
    filesDir: '',
  });
  await expect(attempt).rejects.toThrow('{"env":"ROSTER_CREDENTIAL_KEY"} is not there');
});

const reference = { env: 'ROSTER_CREDENTIAL_KEY' };
const endpoint = 'http://127.0.0.1:1';

it.each<Connection>([
  { id: 'w', kind: 'snowflake', account: 'shop-main', user: 'roster', token: reference, endpoint },
  { id: 'w', kind: 'databricks', warehouse: 'w1', token: reference, endpoint },
])('a warehouse of kind $kind is asked with the credential that is named', async (connection) => {
  const settings = { connection: 'w', table: 'main.crm.users' };
  const read = jest.fn(async () => 's3cret-word');
  const attempt = openTable({ connection, settings, data: 'attributes', read, filesDir: '' });
  await expect(attempt).rejects.toMatchObject({ code: 'connection_refused', kind: 'passing' });
  expect(read).toHaveBeenCalledWith(reference);
});

it('a key of BigQuery that is none is told without its words', async () => {
  const connection: Connection = { id: 'w', kind: 'bigquery', credentials: reference, endpoint };
  const settings = { connection: 'w', table: 'crm.users' };
  const read = async () => 's3cret-word';
  const attempt = openTable({ connection, settings, data: 'attributes', read, filesDir: '' });
  await expect(attempt).rejects.toMatchObject({ code: 'bad_settings', kind: 'config' });
  await expect(attempt).rejects.not.toThrow('s3cret-word');
});
