/** Each kind of connection reaches its source: where nothing listens, its error names the address. */
import { generateKeyPairSync } from 'node:crypto';
import type { Connection } from '@roster/access';
import { openTable, type ReadCredential, tableProblem } from './connect.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const credentials: Record<string, string> = {
  URL: 'redshift://someone:s3cret-word@127.0.0.1:1/db',
  TOKEN: 'a-token',
  KEY: JSON.stringify({
    type: 'service_account',
    project_id: 'shop',
    client_email: 'roster@shop.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }),
};
const read: ReadCredential = async (reference) =>
  ('env' in reference ? credentials[reference.env] : '') ?? '';

const warehouses: readonly Connection[] = [
  { id: 'w', kind: 'redshift', url: { env: 'URL' }, tls: 'off' },
  {
    id: 'w',
    kind: 'snowflake',
    account: 'shop-main',
    user: 'u',
    token: { env: 'TOKEN' },
    endpoint: 'http://127.0.0.1:1',
  },
  {
    id: 'w',
    kind: 'databricks',
    endpoint: 'http://127.0.0.1:1',
    warehouse: 'w1',
    client_id: 'c',
    client_secret: { env: 'TOKEN' },
  },
  { id: 'w', kind: 'bigquery', credentials: { env: 'KEY' }, endpoint: 'http://127.0.0.1:1' },
];

const open = (connection: Connection, table: string) =>
  openTable({
    connection,
    settings: { connection: 'w', table },
    data: 'attributes',
    read,
  });

describe.each(warehouses)('a warehouse of kind $kind', (connection) => {
  it('is read at its address, with the credential that is named', async () => {
    const attempt = open(connection, 'crm.users');
    await expect(attempt).rejects.toMatchObject({ code: 'connection_refused', kind: 'passing' });
    await expect(attempt).rejects.toThrow('127.0.0.1:1 refuses the connection');
  });

  it('needs a table', () => {
    expect(tableProblem(connection, undefined)).toContain(
      `a source of kind ${connection.kind} needs a table`,
    );
    expect(tableProblem(connection, 'crm.users')).toBeUndefined();
  });
});

it('a wrong credential is told without its words', async () => {
  credentials.KEY = 's3cret-word';
  const bigquery = warehouses.find(({ kind }) => kind === 'bigquery');
  const attempt = bigquery && open(bigquery, 'crm.users');
  await expect(attempt).rejects.toMatchObject({ code: 'bad_settings' });
  await expect(attempt).rejects.not.toThrow('s3cret-word');
});
