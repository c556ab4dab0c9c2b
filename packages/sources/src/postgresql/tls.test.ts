/** TLS that works, with a certificate for `localhost` that no authority has signed. */
import { certificateFor, until, usePostgresql } from '@roster/testkit';
import { Client } from 'pg';
import { openSource } from '../open-source.ts';
import type { Tls } from '../settings.ts';
import { inShort, patient, readAll } from '../testbed.ts';

/** The server writes the file itself, so that it is its own. */
const written = (text: string, file: string): string =>
  `COPY (SELECT unnest(string_to_array('${text.trim()}', E'\\n'))) TO PROGRAM 'umask 077; cat > ${file}'`;

const { key, certificate } = certificateFor('localhost');

const database = usePostgresql(async (url) => {
  const admin = new Client(url);
  await admin.connect();
  for (const statement of [
    written(key, 'server.key'),
    written(certificate, 'server.crt'),
    'ALTER SYSTEM SET ssl = on',
    'SELECT pg_reload_conf()',
    'CREATE TABLE people (id text, updated_at timestamptz, payload text)',
    "INSERT INTO people VALUES ('a', '2026-01-31', 'p')",
  ])
    await admin.query(statement);
  await until(async () => (await admin.query('SHOW ssl')).rows[0].ssl === 'on');
  return () => admin.end();
});

const open = (host: string, tls: Tls) => {
  const url = new URL(database.url);
  url.hostname = host;
  return openSource(
    { kind: 'postgresql', url: url.href, table: 'people', updatedAt: 'updated_at', tie: 'id', tls },
    patient,
  );
};

it.each<[string, Tls]>([
  ['a certificate of an authority that is trusted', { ca: certificate }],
  ['any certificate, where only encryption is asked for', { mode: 'encrypt' }],
])('reads over TLS: %s', async (_, tls) => {
  const source = open('localhost', tls);
  await source.test();
  expect(inShort(await readAll(source))).toEqual(['a@p']);
});

it.each<[string, string, Tls, string]>([
  ['of an authority that nobody trusts', 'localhost', {}, 'not signed by an authority'],
  [
    'of another authority',
    'localhost',
    { ca: certificateFor('localhost').certificate },
    'not signed by an authority',
  ],
  ['for another host', '127.0.0.1', { ca: certificate }, 'is for another host'],
])('refuses a certificate %s', async (_, host, tls, words) => {
  const source = open(host, tls);
  const expected = { code: 'tls', kind: 'config', message: expect.stringContaining(words) };
  await expect(source.test()).rejects.toMatchObject(expected);
  await expect(readAll(source)).rejects.toMatchObject(expected);
});
