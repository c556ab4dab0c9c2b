/** TLS that works, with a certificate for `localhost` that no authority has signed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  certificateFor,
  type TestDatabase,
  until,
  useMariadb,
  useMongod,
  usePostgresql,
} from '@roster/testkit';
import { MongoClient } from 'mongodb';
import { type Connection, createConnection } from 'mysql2/promise';
import { Client } from 'pg';
import type { ServerTable, Tls } from './settings.ts';
import type { Source } from './source.ts';
import { inShort, openTable, readAll } from './testbed.ts';

const { key, certificate } = certificateFor('localhost');

const written = (dir: string, name: string, text: string): string => {
  const file = join(dir, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
};

/** PostgreSQL runs as another user and writes the file itself, so that it is its own. */
const copied = (text: string, file: string): string =>
  `COPY (SELECT unnest(string_to_array('${text.trim()}', E'\\n'))) TO PROGRAM 'umask 077; cat > ${file}'`;

const postgresql = usePostgresql(async (url) => {
  const admin = new Client(url);
  await admin.connect();
  for (const statement of [
    copied(key, 'server.key'),
    copied(certificate, 'server.crt'),
    'ALTER SYSTEM SET ssl = on',
    'SELECT pg_reload_conf()',
    'CREATE TABLE people (id text, updated_at timestamptz, payload text)',
    "INSERT INTO people VALUES ('a', '2026-01-31', 'p')",
  ])
    await admin.query(statement);
  await until(async () => (await admin.query('SHOW ssl')).rows[0].ssl === 'on');
  return () => admin.end();
});

let mariadb: Connection;
let mariadbDir = '';
const certified = (dir: string, from: { key: string; certificate: string }): string[] => [
  `--ssl-key=${written(dir, 'key.pem', from.key)}`,
  `--ssl-cert=${written(dir, 'certificate.pem', from.certificate)}`,
];

const mysql = useMariadb(
  async (url) => {
    mariadb = await createConnection(url);
    await mariadb.query('CREATE TABLE people (id varchar(9), updated_at datetime, payload varchar(9))');
    await mariadb.query("INSERT INTO people VALUES ('a', '2026-01-31', 'p')");
    return () => mariadb.end();
  },
  (dir) => {
    mariadbDir = dir;
    return certified(dir, { key, certificate });
  },
);

const mongodb = useMongod(
  async (url) => {
    const admin = new MongoClient(url);
    await admin
      .db()
      .collection('people')
      .insertOne({ id: 'a', updated_at: new Date(0), payload: 'p' });
    return () => admin.close();
  },
  (dir) => ['--tlsMode', 'allowTLS', '--tlsCertificateKeyFile', written(dir, 'both.pem', key + certificate)],
);

const databases: readonly (readonly [ServerTable['kind'], TestDatabase])[] = [
  ['postgresql', postgresql],
  ['mysql', mysql],
  ['mongodb', mongodb],
];

const opener =
  ([kind, database]: (typeof databases)[number]) =>
  (host: string, tls: Tls) => {
    const url = new URL(database.url);
    url.hostname = host;
    // Not the name that the set has for it.
    if (kind === 'mongodb') url.search = '?directConnection=true';
    return openTable({ kind, url: url.href, tls });
  };

const expectRefused = async (source: Source, words: string): Promise<void> => {
  const expected = { code: 'tls', kind: 'config', message: expect.stringContaining(words) };
  await expect(source.test()).rejects.toMatchObject(expected);
  await expect(readAll(source)).rejects.toMatchObject(expected);
};

describe.each(databases)('%s', (...database) => {
  const open = opener(database);

  it.each<[string, Tls]>([
    ['a certificate of an authority that is trusted', { ca: certificate }],
    ['any certificate, where only encryption is asked for', { mode: 'encrypt' }],
  ])('reads over TLS: %s', async (_, tls) => {
    const source = open('localhost', tls);
    await source.test();
    expect(inShort(await readAll(source))).toEqual(['a@p']);
  });

  it.each<[string, Tls]>([
    ['that nobody trusts', {}],
    ['other than the trusted one', { ca: certificateFor('localhost').certificate }],
  ])('refuses a certificate of an authority %s', (_, tls) =>
    expectRefused(open('localhost', tls), 'not signed by an authority'),
  );
});

describe('a certificate for another host', () => {
  it.each([['postgresql', postgresql] as const, ['mongodb', mongodb] as const])(
    'is refused: %s',
    (...database) => expectRefused(opener(database)('127.0.0.1', { ca: certificate }), 'is for another host'),
  );

  it('is refused: mysql', async () => {
    const other = certificateFor('elsewhere');
    certified(mariadbDir, other);
    await mariadb.query('FLUSH SSL');
    const source = opener(['mysql', mysql])('localhost', { ca: other.certificate });
    await expectRefused(source, 'is for another host');
  });
});
