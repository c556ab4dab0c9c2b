/** Logs of rows, in tables of a real PostgreSQL and MariaDB, and in collections of a real MongoDB. A bare socket is a server that never answers. */
import { createServer } from 'node:net';
import { foreignMongo, listening, openLine, useMariadb, usePostgresql } from '@roster/testkit';
import { MongoClient } from 'mongodb';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { Client } from 'pg';
import { patient } from '../testbed.ts';
import { openLog, type RowLog } from './log.ts';
import type { LogLine } from './writers.ts';

type Sql = 'postgresql' | 'mysql';
type Kind = Sql | 'mongodb';

interface Site {
  readonly url: string;
  /** What a table holds, without what the log adds of itself. */
  linesOf(table: string): Promise<readonly Record<string, unknown>[]>;
  clear(): Promise<unknown>;
}

const sites = {} as { [kind in Kind]: Site };
const queries = {} as { [kind in Sql]: (sql: string) => Promise<readonly Record<string, unknown>[]> };

const addSql = (kind: Sql, url: string, query: (typeof queries)[Sql]): void => {
  queries[kind] = query;
  sites[kind] = {
    url,
    linesOf: (table) => query(`SELECT * FROM ${table}`),
    clear: () => query('DELETE FROM log'),
  };
};

usePostgresql(async (url) => {
  const db = new Client(url);
  await db.connect();
  addSql('postgresql', url, async (sql) => (await db.query(sql)).rows);
  await db.query(`CREATE TABLE log (job text, key text, operation text, result text, reason text, PRIMARY KEY (job, key, result));
    CREATE TABLE narrow (job text, key text); CREATE TABLE numbers (job int, key int, operation int, result int, reason int);
    CREATE TABLE needy (job text, key text, operation text, result text, reason text, who text NOT NULL);
    CREATE TABLE others (LIKE log); CREATE TABLE mine (LIKE log INCLUDING ALL);
    CREATE USER logger PASSWORD 'secret'; GRANT INSERT ON mine TO logger`);
  return () => db.end();
});

useMariadb(async (url) => {
  const db = await createConnection({ uri: url, multipleStatements: true });
  addSql('mysql', url, async (sql) => (await db.query<RowDataPacket[]>(sql))[0]);
  await db.query(`CREATE TABLE log (job varchar(64), \`key\` varchar(64) COLLATE utf8mb4_bin, operation varchar(32), result varchar(16), reason varchar(500),
      PRIMARY KEY (job, \`key\`, result)) CHARACTER SET utf8mb4;
    CREATE TABLE narrow (job text, \`key\` text); CREATE TABLE others LIKE log; CREATE TABLE mine LIKE log;
    CREATE USER logger IDENTIFIED BY 'secret'; GRANT INSERT ON mine TO logger`);
  return () => db.end();
});

let mongo: MongoClient;
beforeAll(async () => {
  const url = foreignMongo();
  mongo = new MongoClient(url);
  const db = mongo.db();
  await db.createCollection('narrow', { validator: { who: { $exists: true } } });
  await db.createCollection('view', { viewOn: 'log', pipeline: [] });
  sites.mongodb = {
    url,
    linesOf: (name) =>
      db
        .collection(name)
        .find({}, { projection: { _id: 0, logged_at: 0 } })
        .toArray(),
    clear: () => db.collection('log').deleteMany({}),
  };
});
afterAll(async () => {
  await mongo.db().dropDatabase();
  await mongo.close();
});

const line = (key: string, more: Partial<LogLine> = {}): LogLine => ({
  job: 'j',
  key,
  operation: 'attributes',
  result: 'synced',
  reason: '',
  ...more,
});

const logs: RowLog[] = [];
const open = (kind: Kind, table = 'log', url = sites[kind].url, limits = {}): RowLog => {
  const log = openLog({ kind, url, table, tls: { mode: 'off' } }, { ...patient, ...limits });
  logs.push(log);
  return log;
};
/** By a user who may insert into the table `mine`, and no more. */
const openAsLogger = (kind: Sql, table: string): RowLog => {
  const url = new URL(sites[kind].url);
  return open(kind, table, Object.assign(url, { username: 'logger', password: 'secret' }).href);
};
afterEach(async () => {
  for (const log of logs.splice(0)) log.close();
  for (const { clear } of Object.values(sites)) await clear();
});

describe.each(['postgresql', 'mysql', 'mongodb'] as const)('a log in a server of kind %s', (kind) => {
  const lines = () => sites[kind].linesOf('log');

  it('holds each line once, however often it is written, also beside new ones', async () => {
    const log = open(kind);
    const bad = line('b', { result: 'failed', reason: 'no \0 "such\' \\ $user 😀' });
    await log.write([line('a'), bad]);
    await log.write([bad, line('b'), line('A'), line('a')]);
    const found = await lines();
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
    await open(kind).write(long);
    const reasons = (await lines()).map(({ reason }) => reason);
    expect(reasons).toHaveLength(1_001);
    expect([...new Set(reasons)]).toEqual(['€'.repeat(500)]);
  });

  it('is tried by a line that is taken back', async () => {
    await open(kind).test();
    expect(await lines()).toEqual([]);
  });
});

describe.each(['postgresql', 'mysql'] as const)('a log in a table of kind %s', (kind) => {
  it('needs no right but to insert', async () => {
    const log = openAsLogger(kind, 'mine');
    await log.test();
    await log.write([line('a')]);
    await log.write([line('a')]);
    expect(await sites[kind].linesOf('mine')).toHaveLength(1);
  });

  it('goes on after its connection was ended by the server', async () => {
    const log = open(kind);
    await log.write([line('a')]);
    const ids =
      kind === 'postgresql'
        ? "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'roster'"
        : "SELECT id FROM information_schema.processlist WHERE command = 'Sleep' AND id <> connection_id()";
    const found = await queries[kind](ids);
    if (kind === 'mysql') for (const { id } of found) await queries.mysql(`KILL ${id}`);
    await log.write([line('b')]);
    expect(await sites[kind].linesOf('log')).toHaveLength(2);
  });

  it('says that the user may not insert', async () => {
    const failing = openAsLogger(kind, 'others').test();
    await expect(failing).rejects.toMatchObject({ code: 'access_denied' });
    await expect(failing).rejects.toThrow("the log others can't be written: the user may not insert into it");
  });
});

const columns = 'it needs job, key, operation, result and reason';

it.each<[Kind, string, string, string]>([
  ['postgresql', 'nowhere', 'table_missing', 'there is no such table'],
  ['mysql', 'nowhere', 'table_missing', 'there is no such table'],
  ['postgresql', 'narrow', 'column_missing', `a column is missing: ${columns}`],
  ['mysql', 'narrow', 'column_missing', `a column is missing: ${columns}`],
  ['postgresql', 'numbers', 'wrong_type', `a column can't hold texts: ${columns}, as texts`],
  ['postgresql', 'needy', 'bad_settings', 'it has another column that needs a value'],
  ['mongodb', 'narrow', 'bad_settings', 'the validator of the collection refuses it'],
  ['mongodb', 'view', 'bad_settings', 'it is a view'],
])('in %s the table %s takes no lines, which is told: %s', async (kind, table, code, words) => {
  for (const attempt of [() => open(kind, table).test(), () => open(kind, table).write([line('a')])]) {
    const error: unknown = await attempt().catch((error: unknown) => error);
    expect(error).toMatchObject({ code, kind: 'config' });
    expect(`${error}`).toContain(`the log ${table} can't be written: ${words}`);
  }
});

describe('a log in a collection of MongoDB', () => {
  it('is tried where no collection is yet, and makes none', async () => {
    await open('mongodb', 'nowhere').test();
    expect(await mongo.db().listCollections({ name: 'nowhere' }).toArray()).toEqual([]);
  });

  it('goes on after its connection was ended', async () => {
    const through = new URL(sites.mongodb.url);
    const cable = await openLine(through);
    Object.assign(through, { port: String(cable.port), search: 'directConnection=true' });
    const log = open('mongodb', 'log', through.href);
    await log.write([line('a')]);
    cable.cut();
    await cable.mend();
    await log.write([line('a'), line('b')]);
    expect(await sites.mongodb.linesOf('log')).toHaveLength(2);
    cable.cut();
    log.close();
    await expect(log.test()).rejects.toMatchObject({ code: 'connection_refused', kind: 'passing' });
  });

  it('gives up a server that never answers', async () => {
    const silent = createServer((socket) => socket.resume());
    const { host } = new URL(await listening(silent));
    const log = open('mongodb', 'log', `mongodb://${host}/db`, { connectMs: 300 });
    await expect(log.write([line('a')])).rejects.toMatchObject({ code: 'no_answer', kind: 'passing' });
    silent.close();
  });
});

it('a server of another kind has none', () => {
  expect(() => openLog({ kind: 'redshift', url: 'redshift://a:b@h/db', table: 'log' })).toThrow(
    'of kind redshift',
  );
});
