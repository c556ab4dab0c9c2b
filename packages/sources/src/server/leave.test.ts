/** How connections end, as a PostgreSQL and a MariaDB see it: through a relay that reads what is sent. */
import { type AddressInfo, connect, createServer } from 'node:net';
import { useMariadb, usePostgresql } from '@roster/testkit';
import { Client } from 'pg';
import { openTable, readAll } from '../testbed.ts';

const postgresql = usePostgresql(async (url) => {
  const db = new Client(url);
  await db.connect();
  await db.query(
    "CREATE TABLE people (id text, updated_at timestamp); INSERT INTO people VALUES ('a', now())",
  );
  return () => db.end();
});
const mariadb = useMariadb(async (uri) => {
  const { createConnection } = await import('mysql2/promise');
  const db = await createConnection({ uri, multipleStatements: true });
  await db.query(
    "CREATE TABLE people (id text, updated_at datetime); INSERT INTO people VALUES ('a', utc_timestamp())",
  );
  return () => db.end();
});

/** What clients send to the server of the URL, a text for each connection. */
const relayTo = async (url: string) => {
  const { hostname, port } = new URL(url);
  const sent: string[] = [];
  const server = createServer((client) => {
    const at = sent.push('') - 1;
    const upstream = connect(Number(port), hostname);
    client.on('data', (data: Buffer) => {
      sent[at] += data.toString('latin1');
    });
    client.pipe(upstream).pipe(client);
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = new URL(url);
  own.hostname = '127.0.0.1';
  own.port = String((server.address() as AddressInfo).port);
  return { url: own.href, sent, close: () => server.close() };
};

it.each([
  ['postgresql', postgresql, 'ROLLBACK\0X\0\0\0\x04'],
  ['mysql', mariadb, 'ROLLBACK\x01\0\0\0\x01'],
] as const)('%s: each ends its transaction and takes leave', async (kind, database, leave) => {
  const { url, sent, close } = await relayTo(database.url);
  const source = openTable({ kind, url });
  expect(await readAll(source)).toHaveLength(1);
  await source.clock(new AbortController().signal);
  await source.close();
  close();
  expect(sent.map((text) => text.slice(-leave.length))).toEqual([leave, leave]);
});
