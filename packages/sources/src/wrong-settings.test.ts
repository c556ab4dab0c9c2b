/** What is wrong with the settings or with the server, in words; never with the password in them. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { usePostgresql } from '@roster/testkit';
import { Client } from 'pg';
import type { Limits } from './limits.ts';
import { openSource } from './open-source.ts';
import type { SourceSettings } from './settings.ts';
import type { Source } from './source.ts';
import { SourceError } from './source-error.ts';
import { patient, readAll } from './testbed.ts';

const secret = 's3cret-word';

const settings = (more: Partial<SourceSettings>): SourceSettings => ({
  kind: 'postgresql',
  url: `postgresql://someone:${secret}@127.0.0.1:1/db`,
  table: 'people',
  updatedAt: 'updated_at',
  tie: 'id',
  tls: { mode: 'off' },
  ...more,
});

const open = (more: Partial<SourceSettings> = {}, limits: Partial<Limits> = {}): Source =>
  openSource(settings(more), { ...patient, ...limits });

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Of a test of the source, and of reading. */
const errorsOf = async (source: Source): Promise<readonly SourceError[]> => {
  const failures = await Promise.all([failure(source.test()), failure(readAll(source))]);
  await source.close();
  return failures.map((error) => {
    if (!(error instanceof SourceError)) throw error;
    expect(`${error}`).not.toContain(secret);
    return error;
  });
};

/** The same for both. */
const errorOf = async (source: Source): Promise<SourceError | undefined> => {
  const [tested, read] = await errorsOf(source);
  expect(read?.code).toBe(tested?.code);
  return tested;
};

describe('a server that is not there', () => {
  it('is refused: no server listens', async () => {
    const error = await errorOf(open());
    expect(error).toMatchObject({ code: 'connection_refused', kind: 'passing' });
    expect(error?.message).toContain('127.0.0.1:1');
  });

  it('has a host that nobody knows', async () => {
    const source = open({ url: `postgresql://someone:${secret}@no-such-host.invalid/db` });
    for (const { code } of await errorsOf(source)) expect(['host_not_found', 'no_answer']).toContain(code);
  });
});

describe('a URL', () => {
  it.each([
    `postgresql://a:${secret}@h/db?sslrootcert=/etc/passwd`,
    `postgresql://a:${secret}@h/db#fragment`,
    `mysql://a:${secret}@h/db`,
    `postgresql://a:${secret}@%2Fvar%2Frun/db`,
    `postgresql://a:${secret}@h`,
    `postgresql://a:${secret}@h/`,
    `postgresql://a:${secret}%@h/db`,
    'postgresql://h/db',
    secret,
  ])('is refused: %s', (url) => {
    const attempt = () => open({ url });
    expect(attempt).toThrow(SourceError);
    expect(attempt).not.toThrow(secret);
  });
});

describe('a peer', () => {
  let server: Server;
  const sockets = new Set<Socket>();
  const peer = async (behave: (socket: Socket) => void): Promise<number> => {
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      behave(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const at = (port: number, limits: Partial<Limits> = {}): Source =>
    open({ url: `postgresql://someone:${secret}@127.0.0.1:${port}/db` }, limits);

  it('that never answers is given up', async () => {
    const port = await peer(() => {});
    expect((await errorOf(at(port, { connectMs: 300 })))?.code).toBe('no_answer');
  });

  it('that hangs up is reported', async () => {
    const port = await peer((socket) => socket.destroy());
    expect((await errorOf(at(port)))?.code).toBe('connection_lost');
  });

  it('that sends garbage without end costs neither memory nor time', async () => {
    const garbage = Buffer.alloc(65_536, 'HTTP/1.1 400 Bad Request\r\n');
    const port = await peer((socket) => {
      const send = () => {
        if (!socket.destroyed) socket.write(garbage, () => setImmediate(send));
      };
      send();
    });
    const before = process.memoryUsage().rss;
    const error = await errorOf(at(port));
    expect(error?.code).toBe('not_this_protocol');
    expect(process.memoryUsage().rss - before).toBeLessThan(400e6);
  });
});

describe('a real PostgreSQL', () => {
  let admin: Client;
  const database = usePostgresql(async (url) => {
    admin = new Client(url);
    await admin.connect();
    await admin.query(
      'CREATE TABLE people (id varchar(20), updated_at timestamp, payload varchar(20), words text)',
    );
    return () => admin.end();
  });
  const at = (change: Partial<URL>): Source =>
    open({ url: Object.assign(new URL(database.url), change).href });
  const of = (more: Partial<SourceSettings>, limits: Partial<Limits> = {}): Source =>
    open({ url: database.url, ...more }, limits);

  it.each([secret, ''])('refuses a wrong password: %p', async (password) => {
    const error = await errorOf(at({ password }));
    expect(error).toMatchObject({ code: 'access_denied', kind: 'config' });
  });

  it('is never given a password of this machine', async () => {
    process.env.PGPASSWORD = new URL(database.url).password;
    try {
      expect((await errorOf(at({ password: '' })))?.code).toBe('access_denied');
    } finally {
      delete process.env.PGPASSWORD;
    }
  });

  it('has no such database', async () => {
    expect((await errorOf(at({ pathname: '/nowhere' })))?.code).toBe('database_missing');
  });

  it('has no such table', async () => {
    const error = await errorOf(of({ table: 'persons' }));
    expect(error).toMatchObject({ code: 'table_missing', kind: 'config' });
    expect(error?.message).toContain('persons');
  });

  it('has no such schema', async () => {
    expect((await errorOf(of({ table: 'nowhere.people' })))?.code).toBe('table_missing');
  });

  it('is asked for a table whose name is none', async () => {
    expect((await errorOf(of({ table: 'other.public.people' })))?.code).toBe('bad_settings');
  });

  it('has no such column, and names those that there are', async () => {
    const error = await errorOf(of({ updatedAt: 'changed_at' }));
    expect(error).toMatchObject({ code: 'column_missing', kind: 'config' });
    expect(error?.message).toBe('people has no column changed_at; it has id, updated_at, payload, words');
  });

  it('has a moment of another type', async () => {
    const error = await errorOf(of({ updatedAt: 'payload' }));
    expect(error).toMatchObject({ code: 'wrong_type', kind: 'config' });
  });

  it('offers no TLS, which is asked for unless the settings say otherwise', async () => {
    expect((await errorOf(of({ tls: {} })))?.code).toBe('tls');
  });

  it('is quoted: a name is no statement', async () => {
    expect((await errorOf(of({ table: '"people""; DROP TABLE people; --"' })))?.code).toBe('table_missing');
    await of({}).test();
  });

  it('is not waited for without end when a statement takes long', async () => {
    await admin.query(`INSERT INTO people VALUES ('b', '2026-01-31', 'p', 'w');
      CREATE VIEW slow AS SELECT id, updated_at, pg_sleep(3600)::text AS payload FROM people`);
    const source = of({ table: 'slow' }, { statementMs: 500, questionMs: 500 });
    // Which of the two limits comes first is for the machine to say.
    for (const { code } of await errorsOf(source)) expect(['time_limit', 'no_answer']).toContain(code);
  });
});
