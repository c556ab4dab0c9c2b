/** What is wrong with the settings or with the server, in words; never with the password in them. Bare sockets are servers that misbehave. */
import { createServer, type Server, type Socket } from 'node:net';
import { listening, useMariadb, usePostgresql } from '@roster/testkit';
import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';
import type { Limits } from './bounds.ts';
import type { ServerSettings } from './settings.ts';
import type { Source } from './source.ts';
import { SourceError } from './source-error.ts';
import { failureOf, openTable, readAll, secret } from './testbed.ts';

type Kind = ServerSettings['kind'];
const kinds: readonly Kind[] = ['postgresql', 'mysql', 'mongodb'];

const open = (kind: Kind, more: Partial<ServerSettings> = {}, limits: Partial<Limits> = {}): Source =>
  openTable({ kind, url: `${kind}://someone:${secret}@127.0.0.1:1/db`, ...more }, limits);

/** Of a test of the source, and of reading. */
const errorsOf = async (source: Source): Promise<readonly SourceError[]> => {
  const errors = await Promise.all([failureOf(source.test()), failureOf(readAll(source))]);
  await source.close();
  return errors;
};

/** The same for both. */
const errorOf = async (source: Source): Promise<SourceError | undefined> => {
  const [tested, read] = await errorsOf(source);
  expect(read?.code).toBe(tested?.code);
  return tested;
};

describe.each(kinds)('a server of kind %s that is not there', (kind) => {
  it('is refused: no server listens', async () => {
    const error = await errorOf(open(kind));
    expect(error).toMatchObject({ code: 'connection_refused', kind: 'passing' });
    expect(error?.message).toContain('127.0.0.1:1');
  });

  it('has a host that nobody knows', async () => {
    const source = open(kind, { url: `${kind}://someone:${secret}@no-such-host.invalid/db` });
    for (const { code } of await errorsOf(source)) expect(['host_not_found', 'no_answer']).toContain(code);
  });
});

describe('a URL', () => {
  it.each<[Kind, string]>([
    ['postgresql', `postgresql://a:${secret}@h/db?sslrootcert=/etc/passwd`],
    ['postgresql', `postgresql://a:${secret}@h/db#fragment`],
    ['postgresql', `mysql://a:${secret}@h/db`],
    ['postgresql', `postgresql://a:${secret}@%2Fvar%2Frun/db`],
    ['postgresql', `postgresql://a:${secret}@h`],
    ['postgresql', `postgresql://a:${secret}@h/`],
    ['postgresql', `postgresql://a:${secret}%@h/db`],
    ['postgresql', 'postgresql://h/db'],
    ['postgresql', secret],
    ['mysql', `mysql://a:${secret}@h/db?flags=LOCAL_FILES`],
    ['mysql', `mysql://a:${secret}@h`],
    ['mongodb', `mongodb://a:${secret}@h/db?tlsCAFile=/etc/passwd`],
    ['mongodb', `mongodb://a:${secret}@h/db?tls=false`],
    ['mongodb', `mongodb://a:${secret}@h/%`],
    ['mongodb', `mongodb://a:${secret}@h/`],
  ])('of kind %s is refused: %s', (kind, url) => {
    const attempt = () => open(kind, { url });
    expect(attempt).toThrow(SourceError);
    expect(attempt).not.toThrow(secret);
  });

  it('names an IP address, for which the driver of MySQL can verify no certificate', () => {
    expect(() => open('mysql', { tls: {} })).toThrow('name the host instead of its address');
  });
});

describe('a peer', () => {
  let server: Server;
  const sockets = new Set<Socket>();
  const openPeer = async (
    kind: Kind,
    behave: (socket: Socket) => void,
    limits: Partial<Limits> = {},
  ): Promise<Source> => {
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      behave(socket);
    });
    const { host } = new URL(await listening(server));
    return open(kind, { url: `${kind}://someone:${secret}@${host}/db` }, limits);
  };
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  it.each(kinds)('that never answers is given up (%s)', async (kind) => {
    const peer = await openPeer(kind, () => {}, { connectMs: 300 });
    expect((await errorOf(peer))?.code).toBe('no_answer');
  });

  it.each(kinds)('that hangs up is reported (%s)', async (kind) => {
    const peer = await openPeer(kind, (socket) => socket.destroy());
    expect((await errorOf(peer))?.code).toBe('connection_lost');
  });

  /** A reply to each message: https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/ */
  it.each<[string, (id: Buffer) => Buffer]>([
    [
      'no BSON',
      (id) =>
        Buffer.concat([
          ...[Buffer.from([38, 0, 0, 0, 1, 0, 0, 0]), id, Buffer.from([0xdd, 7, 0, 0, 0, 0, 0, 0, 0])],
          ...[Buffer.from([17, 0, 0, 0]), Buffer.alloc(12, 0x66), Buffer.from([0])],
        ]),
    ],
  ])('whose message has %s is not MongoDB', async (_, reply) => {
    const peer = await openPeer('mongodb', (socket) => {
      socket.on('data', (message) => void socket.write(reply(message.subarray(4, 8))));
    });
    expect(await errorOf(peer)).toMatchObject({ code: 'not_this_protocol' });
  });

  it.each(kinds)('that sends garbage without end costs neither memory nor time (%s)', async (kind) => {
    jest.spyOn(console, 'error').mockImplementation(() => {}); // The driver of MySQL writes there.
    const garbage = Buffer.alloc(65_536, 'HTTP/1.1 400 Bad Request\r\n');
    const sendGarbage = (socket: Socket) => {
      if (!socket.destroyed) socket.write(garbage, () => setImmediate(sendGarbage, socket));
    };
    // The driver of MongoDB takes it for one large message, until it is given up.
    const [limits, code] = kind === 'mongodb' ? [{ connectMs: 300 }, 'no_answer'] : [{}, 'not_this_protocol'];
    const peer = await openPeer(kind, sendGarbage, limits);
    const before = process.memoryUsage().rss;
    expect((await errorOf(peer))?.code).toBe(code);
    expect(process.memoryUsage().rss - before).toBeLessThan(400e6);
  });
});

const queries = {} as { [kind in 'postgresql' | 'mysql']: (sql: string) => Promise<unknown> };
const databases = {
  postgresql: usePostgresql(async (url) => {
    const client = new Client(url);
    await client.connect();
    queries.postgresql = (sql) => client.query(sql);
    return () => client.end();
  }),
  mysql: useMariadb(async (url) => {
    const client = await createConnection(url);
    queries.mysql = (sql) => client.query(sql);
    return () => client.end();
  }),
};

describe.each(['postgresql', 'mysql'] as const)('a real server of kind %s', (kind) => {
  const at = (change: Partial<URL>): Source =>
    open(kind, { url: Object.assign(new URL(databases[kind].url), change).href });
  const of = (more: Partial<ServerSettings>, limits: Partial<Limits> = {}): Source =>
    open(kind, { url: databases[kind].url, ...more }, limits);

  beforeAll(() =>
    queries[kind](
      'CREATE TABLE people (id varchar(20), updated_at timestamp, payload varchar(20), words text)',
    ),
  );

  it.each([secret, ''])('refuses a wrong password: %p', async (password) => {
    const error = await errorOf(at({ password }));
    expect(error).toMatchObject({ code: 'access_denied', kind: 'config' });
  });

  it('is never given a password of this machine', async () => {
    process.env.PGPASSWORD = process.env.MYSQL_PWD = new URL(databases[kind].url).password;
    try {
      expect((await errorOf(at({ password: '' })))?.code).toBe('access_denied');
    } finally {
      delete process.env.PGPASSWORD;
      delete process.env.MYSQL_PWD;
    }
  });

  it.each<[string, () => Source, string, RegExp]>([
    ['no such database', () => at({ pathname: '/nowhere' }), 'database_missing', /nowhere/],
    ['no such table', () => of({ table: 'persons' }), 'table_missing', /persons/],
    ['no such schema', () => of({ table: 'nowhere.people' }), 'table_missing', /nowhere/],
    [
      'no table of such a name',
      () => of({ table: 'other.public.people' }),
      'bad_settings',
      /must be a name such as/,
    ],
    [
      'no such column, and names those that there are',
      () => of({ updatedAt: 'changed_at' }),
      'column_missing',
      /^people has no column changed_at; it has id, updated_at, payload, words$/,
    ],
    ['a moment of another type', () => of({ updatedAt: 'payload' }), 'wrong_type', /payload/],
  ])('has %s', async (_, source, code, words) => {
    const error = await errorOf(source());
    expect(error).toMatchObject({ code, kind: 'config', message: expect.stringMatching(words) });
  });

  it('offers no TLS, which is asked for unless the settings say otherwise', async () => {
    const url = databases[kind].url.replace('127.0.0.1', 'localhost');
    expect((await errorOf(of({ url, tls: {} })))?.code).toBe('tls');
  });

  it.each(['"people""; DROP TABLE people; --"', 'people`; DROP TABLE people; --'])(
    'is quoted: a name is no statement: %s',
    async (table) => {
      expect((await errorOf(of({ table })))?.code).toBe('table_missing');
      await of({}).test();
    },
  );

  it('is not waited for without end when a statement takes long', async () => {
    const sleep = kind === 'mysql' ? 'sleep(3600)' : 'pg_sleep(3600)::text';
    await queries[kind]("INSERT INTO people VALUES ('b', '2026-01-31', 'p', 'w')");
    await queries[kind](`CREATE VIEW slow AS SELECT id, updated_at, ${sleep} AS payload FROM people`);
    const source = of({ table: 'slow' }, { statementMs: 500, questionMs: 500 });
    // Which of the two limits comes first is for the machine to say.
    for (const { code } of await errorsOf(source)) expect(['time_limit', 'no_answer']).toContain(code);
  });
});
