/** Logs of rows, in tables of a real PostgreSQL and MariaDB, and in collections of a real MongoDB. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { openLine, testMongo, useMariadb, usePostgresql } from '@roster/testkit';
import { MongoClient } from 'mongodb';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { Client } from 'pg';
import { patient } from '../testbed.ts';
import { openLog, type RowLog } from './log.ts';
import type { LogLine } from './writer.ts';

type Query = (sql: string) => Promise<readonly Record<string, unknown>[]>;

const servers: { [kind in 'postgresql' | 'mysql']: { url: string; query: Query } } = {
  postgresql: { url: '', query: async () => [] },
  mysql: { url: '', query: async () => [] },
};

usePostgresql(async (url) => {
  const db = new Client(url);
  await db.connect();
  servers.postgresql = { url, query: async (sql) => (await db.query(sql)).rows };
  await db.query(`CREATE TABLE log (job text, key text, operation text, result text, reason text, PRIMARY KEY (job, key, result));
    CREATE TABLE narrow (job text, key text); CREATE TABLE numbers (job int, key int, operation int, result int, reason int);
    CREATE TABLE needy (job text, key text, operation text, result text, reason text, who text NOT NULL);
    CREATE TABLE others (LIKE log); CREATE TABLE mine (LIKE log INCLUDING ALL);
    CREATE USER logger PASSWORD 'secret'; GRANT INSERT ON mine TO logger`);
  return () => db.end();
});

useMariadb(async (url) => {
  const db = await createConnection({ uri: url, multipleStatements: true });
  servers.mysql = { url, query: async (sql) => (await db.query<RowDataPacket[]>(sql))[0] };
  await db.query(`CREATE TABLE log (job varchar(64), \`key\` varchar(64) COLLATE utf8mb4_bin, operation varchar(32), result varchar(16), reason varchar(500),
      PRIMARY KEY (job, \`key\`, result)) CHARACTER SET utf8mb4;
    CREATE TABLE narrow (job text, \`key\` text); CREATE TABLE others LIKE log; CREATE TABLE mine LIKE log;
    CREATE USER logger IDENTIFIED BY 'secret'; GRANT INSERT ON mine TO logger`);
  return () => db.end();
});

const line = (key: string, more: Partial<LogLine> = {}): LogLine => ({
  job: 'j',
  key,
  operation: 'attributes',
  result: 'synced',
  reason: '',
  ...more,
});

describe.each(['postgresql', 'mysql'] as const)('a log in a server of kind %s', (kind) => {
  const logs: RowLog[] = [];
  const open = (table = 'log', url = servers[kind].url): RowLog => {
    const log = openLog({ kind, url, table, tls: { mode: 'off' } }, patient);
    logs.push(log);
    return log;
  };
  const asLogger = (table: string): RowLog => {
    const url = new URL(servers[kind].url);
    Object.assign(url, { username: 'logger', password: 'secret' });
    return open(table, url.href);
  };
  const rows = (table = 'log') => servers[kind].query(`SELECT * FROM ${table} ORDER BY 1, 2, 4`);
  afterEach(async () => {
    for (const log of logs) log.close();
    await servers[kind].query('DELETE FROM log');
  });

  it('holds each line once, however often it is written', async () => {
    const log = open();
    const bad = line('b', { result: 'failed', reason: `no \0 "such' \\ user 😀` });
    await log.write([line('a'), bad]);
    await log.write([bad, line('b'), line('A')]);
    expect((await rows()).map((row) => Object.values(row).join('|')).sort()).toEqual([
      'j|A|attributes|synced|',
      'j|a|attributes|synced|',
      'j|b|attributes|failed|no  "such\' \\ user 😀',
      'j|b|attributes|synced|',
    ]);
    expect((await rows()).filter(({ reason }) => reason === null)).toHaveLength(3);
  });

  it('is written in bounded statements, also with long reasons', async () => {
    const lines = Array.from({ length: 1_001 }, (_, n) => line(`k${n}`, { reason: '€'.repeat(20_000) }));
    await open().write(lines);
    const [found] = await servers[kind].query(
      'SELECT count(*) AS n, max(char_length(reason)) AS longest FROM log',
    );
    expect(found && [Number(found.n), Number(found.longest)]).toEqual([1_001, 500]);
  });

  it('is tried by a line that is taken back', async () => {
    await open().test();
    expect(await rows()).toEqual([]);
  });

  it('needs no right but to insert', async () => {
    const log = asLogger('mine');
    await log.test();
    await log.write([line('a')]);
    await log.write([line('a')]);
    expect(await rows('mine')).toHaveLength(1);
  });

  it('goes on after its connection was ended by the server', async () => {
    const log = open();
    await log.write([line('a')]);
    const ids =
      kind === 'postgresql'
        ? "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'roster'"
        : "SELECT id FROM information_schema.processlist WHERE command = 'Sleep' AND id <> connection_id()";
    const found = await servers[kind].query(ids);
    if (kind === 'mysql') for (const { id } of found) await servers.mysql.query(`KILL ${id}`);
    await log.write([line('b')]);
    expect(await rows()).toHaveLength(2);
  });

  it.each([
    ['a table', 'nowhere', 'table_missing', 'there is no such table'],
    ['a column', 'narrow', 'column_missing', 'it needs job, key, operation, result and reason'],
  ])('says that %s is missing', async (_, table, code, words) => {
    for (const attempt of [() => open(table).test(), () => open(table).write([line('a')])]) {
      const error: unknown = await attempt().catch((error: unknown) => error);
      expect(error).toMatchObject({ code, kind: 'config', message: expect.stringContaining(words) });
      expect(`${error}`).toContain(`the log ${table} can't be written: `);
    }
  });

  it('says that the user may not insert', async () => {
    const failing = asLogger('others').test();
    await expect(failing).rejects.toMatchObject({ code: 'access_denied' });
    await expect(failing).rejects.toThrow("the log others can't be written: the user may not insert into it");
  });
});

it.each([
  ['numbers', 'wrong_type'],
  ['needy', 'bad_settings'],
])('a table %s of PostgreSQL that takes no lines is told', async (table, code) => {
  const log = openLog(
    { kind: 'postgresql', url: servers.postgresql.url, table, tls: { mode: 'off' } },
    patient,
  );
  await expect(log.test()).rejects.toMatchObject({ code });
});

describe('a log in a collection of MongoDB', () => {
  let client: MongoClient;
  let url = '';
  const logs: RowLog[] = [];
  const open = (table = 'log', at = url, limits = {}): RowLog => {
    const log = openLog({ kind: 'mongodb', url: at, table, tls: { mode: 'off' } }, { ...patient, ...limits });
    logs.push(log);
    return log;
  };
  const lines = () => client.db().collection('log');

  beforeAll(async () => {
    url = (await testMongo()).url;
    client = new MongoClient(url);
    await client.db().createCollection('narrow', { validator: { who: { $exists: true } } });
    await client.db().createCollection('view', { viewOn: 'log', pipeline: [] });
  });
  afterEach(async () => {
    for (const log of logs) log.close();
    await lines().deleteMany({});
  });
  afterAll(async () => {
    await client.db().dropDatabase();
    await client.close();
  });

  it('holds each line once, however often it is written, also beside new ones', async () => {
    const log = open();
    const bad = line('b', { result: 'failed', reason: 'no \0 "such\' \\ $user 😀' });
    await log.write([line('a'), bad]);
    await log.write([bad, line('b'), line('A'), line('a')]);
    const found = await lines()
      .find({}, { projection: { _id: 0, logged_at: 0 } })
      .toArray();
    expect(found).toHaveLength(4);
    expect(found).toEqual(
      expect.arrayContaining([
        { ...line('a'), reason: null },
        { ...line('A'), reason: null },
        { ...line('b'), reason: null },
        { ...bad, reason: 'no  "such\' \\ $user 😀' },
      ]),
    );
  });

  it('is written in bounded statements, also with long reasons', async () => {
    const long = Array.from({ length: 1_001 }, (_, n) => line(`k${n}`, { reason: '€'.repeat(20_000) }));
    await open().write(long);
    const [most] = await lines()
      .aggregate([{ $group: { _id: null, n: { $sum: 1 }, longest: { $max: { $strLenCP: '$reason' } } } }])
      .toArray();
    expect(most).toMatchObject({ n: 1_001, longest: 500 });
  });

  it('is tried by a line that is taken back, also where no collection is yet', async () => {
    await open().test();
    await open('nowhere').test();
    expect(await lines().countDocuments()).toBe(0);
    expect(await client.db().listCollections({ name: 'nowhere' }).toArray()).toEqual([]);
  });

  it.each([
    ['a validator', 'narrow', 'the validator of the collection refuses it'],
    ['a view', 'view', 'it is a view'],
  ])('says that %s takes no lines', async (_, table, words) => {
    for (const attempt of [() => open(table).test(), () => open(table).write([line('a')])]) {
      const error: unknown = await attempt().catch((error: unknown) => error);
      expect(error).toMatchObject({ code: 'bad_settings', kind: 'config' });
      expect(`${error}`).toContain(`the log ${table} can't be written: ${words}`);
    }
  });

  it('goes on after its connection was ended', async () => {
    const cable = await openLine(new URL(url));
    const through = new URL(url);
    Object.assign(through, { port: String(cable.port), search: 'directConnection=true' });
    const log = open('log', through.href);
    await log.write([line('a')]);
    cable.cut();
    await cable.mend();
    await log.write([line('a'), line('b')]);
    expect(await lines().countDocuments()).toBe(2);
    cable.cut();
    log.close();
    await expect(log.test()).rejects.toMatchObject({ code: 'connection_refused', kind: 'passing' });
  });

  it('gives up a server that never answers', async () => {
    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const log = open('log', `mongodb://127.0.0.1:${port}/db`, { connectMs: 300 });
    await expect(log.write([line('a')])).rejects.toMatchObject({ code: 'no_answer', kind: 'passing' });
    silent.close();
  });
});

it('a server of another kind has none', () => {
  expect(() => openLog({ kind: 'redshift', url: 'redshift://a:b@h/db', table: 'log' })).toThrow(
    'of kind redshift',
  );
});
