/** The same little story over each kind of source: a first sync, a changed row, a late row of an equal moment, a bad row. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { completeSettings } from '@roster/access';
import { testBucket, testMongo, useDatabase, writeParquet } from '@roster/testkit';
import { MongoClient } from 'mongodb';
import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';
import { createSyncing, inShort } from './syncing.ts';
import { type System, startSystem } from './system.ts';

jest.setTimeout(60_000);

interface Customer {
  external_id: string | null;
  plan: string;
  updated_at: string;
}

const at = (minutes: number, seconds = 0): string =>
  `2026-01-31T10:${String(minutes).padStart(2, '0')}:${String(seconds).padStart(2, '0')}Z`;

const before: readonly Customer[] = [
  { external_id: 'a', plan: 'free', updated_at: at(0) },
  { external_id: 'b', plan: 'free', updated_at: at(0) },
  { external_id: null, plan: 'free', updated_at: at(0, 1) },
];

const after: readonly Customer[] = [
  ...before.filter(({ external_id }) => external_id !== 'a'),
  { external_id: 'a', plan: 'gold', updated_at: at(10) },
  { external_id: 'c', plan: 'free', updated_at: at(0) },
];

interface Place {
  readonly connection: object;
  /** Replaces the rows. */
  fill(customers: readonly Customer[]): Promise<unknown>;
}

const places: Record<string, Place> = {};
const ends: (() => Promise<unknown>)[] = [];
let system: System;

const openMysql = async (url: string): Promise<void> => {
  process.env.ROSTER_CREDENTIAL_MYSQL = url;
  const client = await createConnection(url);
  ends.push(() => client.end());
  await client.query(
    'CREATE TABLE customers (external_id varchar(20), plan varchar(20), updated_at datetime)',
  );
  places.mysql = {
    connection: { kind: 'mysql', url: { env: 'ROSTER_CREDENTIAL_MYSQL' }, tls: 'off' },
    async fill(customers) {
      await client.query('DELETE FROM customers');
      const rows = customers.map(({ external_id, plan, updated_at }) => [
        external_id,
        plan,
        updated_at.slice(0, 19).replace('T', ' '),
      ]);
      await client.query('INSERT INTO customers VALUES ?', [rows]);
    },
  };
};

/** Its protocol and the statements that it is sent, on a PostgreSQL. */
const openRedshift = async (url: string) => {
  process.env.ROSTER_CREDENTIAL_REDSHIFT = url;
  const client = new Client(url);
  await client.connect();
  await client.query('CREATE TABLE customers (external_id text, plan text, updated_at timestamptz)');
  places.redshift = {
    connection: { kind: 'redshift', url: { env: 'ROSTER_CREDENTIAL_REDSHIFT' }, tls: 'off' },
    async fill(customers) {
      await client.query('DELETE FROM customers');
      await client.query('INSERT INTO customers SELECT * FROM json_populate_recordset(NULL::customers, $1)', [
        JSON.stringify(customers),
      ]);
    },
  };
  return () => client.end();
};

const openMongodb = async (): Promise<void> => {
  const server = await testMongo();
  process.env.ROSTER_CREDENTIAL_MONGODB = server.url;
  const client = await new MongoClient(server.url).connect();
  ends.push(async () => {
    await client.db().dropDatabase();
    await client.close();
    await server.close();
  });
  places.mongodb = {
    connection: { kind: 'mongodb', url: { env: 'ROSTER_CREDENTIAL_MONGODB' }, tls: 'off' },
    async fill(customers) {
      const collection = client.db().collection<{ _id: string }>('customers');
      await collection.deleteMany({});
      await collection.insertMany(
        customers.map(({ updated_at, ...rest }) => ({
          ...rest,
          // The row that nobody has is the same row when it is written again.
          _id: rest.external_id ?? 'nobody',
          updated_at: new Date(updated_at),
        })),
      );
    },
  };
};

const lines = (customers: readonly Customer[]): string =>
  customers.map((one) => JSON.stringify(one)).join('\n');

const openS3 = async (): Promise<void> => {
  const bucket = await testBucket('exports');
  process.env.ROSTER_CREDENTIAL_ACCESS_KEY = bucket.accessKey;
  process.env.ROSTER_CREDENTIAL_SECRET_KEY = bucket.secretKey;
  ends.push(() => bucket.close());
  places.s3 = {
    connection: {
      kind: 's3',
      endpoint: bucket.endpoint,
      bucket: 'exports',
      prefix: 'crm/',
      format: 'ndjson',
      access_key: { env: 'ROSTER_CREDENTIAL_ACCESS_KEY' },
      secret_key: { env: 'ROSTER_CREDENTIAL_SECRET_KEY' },
    },
    fill: (customers) => bucket.put('crm/customers.ndjson', lines(customers)),
  };
};

const parquetOf = (customers: readonly Customer[]): string => {
  const texts = (name: 'external_id' | 'plan') =>
    `{ name: '${name}', type: 'STRING', data: ${JSON.stringify(customers.map((one) => one[name]))} }`;
  const moments = JSON.stringify(customers.map(({ updated_at }) => updated_at));
  return `{ columnData: [${texts('external_id')}, ${texts('plan')},
    { name: 'updated_at', type: 'TIMESTAMP', data: ${moments}.map((at) => new Date(at)) }] }`;
};

const openFolders = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'roster-kinds-'));
  ends.push(() => rm(folder, { recursive: true }));
  places.ndjson = {
    connection: { kind: 'files', folder, format: 'ndjson' },
    fill: (customers) => writeFile(join(folder, 'a.ndjson'), lines(customers)),
  };
  places.parquet = {
    connection: { kind: 'files', folder, format: 'parquet' },
    fill: async (customers) => writeParquet(join(folder, 'a.parquet'), parquetOf(customers)),
  };
  const line = ({ external_id, plan, updated_at }: Customer) =>
    `${external_id ?? ''},"${plan}",${updated_at}`;
  places.csv = {
    connection: { kind: 'files', folder, format: 'csv' },
    fill: (customers) =>
      writeFile(join(folder, 'a.csv'), ['external_id,plan,updated_at', ...customers.map(line)].join('\r\n')),
  };
};

useDatabase('postgresql', openRedshift);

useDatabase('mariadb', async (url) => {
  await Promise.all([openMysql(url), openMongodb(), openS3(), openFolders()]);
  system = await startSystem({ identity: {}, integrations: { jobs: { firstPauseMs: 50, mostTries: 3 } } });
  const connections = Object.entries(places).map(([id, { connection }]) => ({ id, ...connection }));
  await system.store.workspaces.put(completeSettings({ id: 'demo', integrations: { connections } }));
  ends.unshift(() => system.stop());
  // Its worker may still be starting.
  while ((await system.send('/cdi/integrations', { method: 'GET' })).status !== 200) await sleep(100);
  return async () => {
    for (const end of ends) await end();
  };
});

const { create, sync, attributes } = createSyncing(() => system);

const createOf = (kind: string): Promise<string> =>
  create({
    connection: kind,
    ...(['mysql', 'redshift', 'mongodb'].includes(kind) && { table: 'customers' }),
    data: 'attributes',
    columns: { plan: 'plan' },
  });

it.each(['mysql', 'redshift', 'mongodb', 'ndjson', 'csv', 'parquet', 's3'])(
  'rows of %s become profiles, each version once',
  async (kind) => {
    const own = (customers: readonly Customer[]) =>
      customers.map((one) => ({ ...one, external_id: one.external_id && `${kind}-${one.external_id}` }));
    const place = places[kind];
    await place?.fill(own(before));
    const id = await createOf(kind);
    expect(inShort(await sync(id))).toBe('partial 2+1');
    expect(await attributes(`${kind}-a`)).toEqual({ plan: 'free' });
    expect(inShort(await sync(id))).toBe('success 0+0');
    await place?.fill(own(after));
    expect(inShort(await sync(id))).toBe('success 2+0');
    expect(await attributes(`${kind}-a`)).toEqual({ plan: 'gold' });
    expect(await attributes(`${kind}-c`)).toEqual({ plan: 'free' });
  },
);
