/** What is wrong with the settings or with the server, in words; never with the password in them. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { useDatabase } from '@roster/testkit';
import { bounds } from './bounds.ts';
import { openMongodb } from './mongodb/mongodb.ts';
import { openMysql } from './mysql/mysql.ts';
import { openPostgresql } from './postgresql/postgresql.ts';
import { openRedshift } from './redshift/redshift.ts';
import type { DatabaseSettings } from './settings.ts';
import type { Source } from './source.ts';
import { SourceError } from './source-error.ts';
import { readAll } from './testbed.ts';
import type { WarehouseLimits } from './warehouse/warehouse.ts';

const limits: WarehouseLimits = {
  ...bounds,
  connectMs: 1_500,
  questionMs: 1_500,
  statementMs: 1_500,
  silenceMs: 1_500,
};
/** For peers on this machine that are not there or say nothing: each of these limits is waited out. */
const short: WarehouseLimits = {
  ...limits,
  connectMs: 300,
  questionMs: 300,
  statementMs: 300,
  silenceMs: 300,
};
const secret = 's3cret-word';

const kinds = {
  postgresql: { open: openPostgresql, scheme: 'postgresql' },
  redshift: { open: openRedshift, scheme: 'redshift' },
  mysql: { open: openMysql, scheme: 'mysql' },
  mongodb: { open: openMongodb, scheme: 'mongodb' },
} as const;
type Kind = keyof typeof kinds;

const settings = (kind: Kind, more: Partial<DatabaseSettings>): DatabaseSettings => ({
  kind,
  url: `${kinds[kind].scheme}://someone:${secret}@127.0.0.1:1/db`,
  table: 'people',
  updatedAt: 'updated_at',
  tie: 'id',
  tls: { mode: 'off' },
  ...more,
});

/** The error of a test of the source; reading ends with one, too. */
const errorOf = async (source: Source): Promise<SourceError> => {
  try {
    const [tested, read] = await Promise.all(
      [source.test(), readAll(source)].map((work) =>
        work.then(
          () => undefined,
          (error: unknown) => error,
        ),
      ),
    );
    expect(tested).toBeInstanceOf(SourceError);
    expect(read).toBeInstanceOf(SourceError);
    const error = tested as SourceError;
    expect(`${read}`).not.toContain(secret);
    expect(error.message).not.toContain(secret);
    return error;
  } finally {
    await source.close();
  }
};

const open = (kind: Kind, more: Partial<DatabaseSettings> = {}, within: WarehouseLimits = limits): Source =>
  kinds[kind].open(settings(kind, more), within);

const everyKind = Object.keys(kinds) as Kind[];

describe.each(everyKind)('a server of kind %s that is not there', (kind) => {
  it('is refused: no server listens', async () => {
    const error = await errorOf(open(kind, {}, short));
    expect(error).toMatchObject({ code: 'connection_refused', kind: 'passing' });
    expect(error.message).toContain('127.0.0.1:1');
  });

  it('has a host that nobody knows', async () => {
    const url = `${kinds[kind].scheme}://someone:${secret}@no-such-host.invalid/db`;
    expect(['host_not_found', 'no_answer']).toContain((await errorOf(open(kind, { url }, short))).code);
  });
});

describe('a URL', () => {
  it.each([
    ['postgresql', `postgresql://a:${secret}@h/db?sslrootcert=/etc/passwd`],
    ['postgresql', `mysql://a:${secret}@h/db`],
    ['postgresql', `postgresql://a:${secret}@%2Fvar%2Frun/db`],
    ['postgresql', secret],
    ['mysql', `mysql://a:${secret}@h/db?flags=LOCAL_FILES`],
    ['mysql', `mysql://a:${secret}@h`],
    ['mongodb', `mongodb://a:${secret}@h/db?tlsCAFile=/etc/passwd`],
    ['mongodb', `mongodb://a:${secret}@h/`],
  ] as const)('of kind %s is refused: %s', (kind, url) => {
    const attempt = () => open(kind, { url });
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
  const at = (kind: Kind, port: number): Source =>
    open(kind, { url: `${kinds[kind].scheme}://someone:${secret}@127.0.0.1:${port}/db` }, short);

  it.each(everyKind)('that never answers is given up (%s)', async (kind) => {
    const port = await peer(() => {});
    expect((await errorOf(at(kind, port))).code).toBe('no_answer');
  });

  it.each(everyKind)('that hangs up is reported (%s)', async (kind) => {
    const port = await peer((socket) => socket.destroy());
    expect(['connection_lost', 'no_answer']).toContain((await errorOf(at(kind, port))).code);
  });

  it.each(everyKind)('that sends garbage without end costs neither memory nor time (%s)', async (kind) => {
    const garbage = Buffer.alloc(65_536, 'HTTP/1.1 400 Bad Request\r\n');
    const port = await peer((socket) => {
      const send = () => {
        if (!socket.destroyed) socket.write(garbage, () => setImmediate(send));
      };
      send();
    });
    const before = process.memoryUsage().rss;
    const error = await errorOf(at(kind, port));
    expect(['not_this_protocol', 'no_answer', 'connection_lost', 'server_error']).toContain(error.code);
    expect(process.memoryUsage().rss - before).toBeLessThan(400e6);
  });
});

const databases = {
  postgresql: useDatabaseOf('postgresql'),
  redshift: useDatabaseOf('redshift'),
  mysql: useDatabaseOf('mysql'),
};

function useDatabaseOf(kind: 'postgresql' | 'redshift' | 'mysql') {
  return useDatabase(kind === 'mysql' ? 'mariadb' : 'postgresql');
}

describe.each(['postgresql', 'redshift', 'mysql'] as const)('a real %s', (kind) => {
  const statement = async (...texts: string[]): Promise<void> => {
    if (kind !== 'mysql') {
      const { Client } = await import('pg');
      const client = new Client(databases[kind].url);
      await client.connect();
      for (const text of texts) await client.query(text);
      await client.end();
    } else {
      const { createConnection } = await import('mysql2/promise');
      const client = await createConnection(databases[kind].url);
      for (const text of texts) await client.query(text);
      await client.end();
    }
  };
  const at = (
    change: (url: URL) => void,
    more: Partial<DatabaseSettings> = {},
    within: WarehouseLimits = limits,
  ) => {
    const url = new URL(databases[kind].url);
    change(url);
    return open(kind, { url: url.href, ...more }, within);
  };
  const same = () => {};

  beforeAll(() =>
    statement('CREATE TABLE people (id varchar(20), updated_at timestamp, payload varchar(20), words text)'),
  );

  it('refuses a wrong password', async () => {
    const error = await errorOf(
      at((url) => {
        url.password = secret;
      }),
    );
    expect(error).toMatchObject({ code: 'access_denied', kind: 'config' });
  });

  it('has no such database', async () => {
    expect(
      (
        await errorOf(
          at((url) => {
            url.pathname = '/nowhere';
          }),
        )
      ).code,
    ).toBe('database_missing');
  });

  it('has no such table', async () => {
    const error = await errorOf(at(same, { table: 'persons' }));
    expect(error).toMatchObject({ code: 'table_missing', kind: 'config' });
    expect(error.message).toContain('persons');
  });

  it('has no such column, and names those that there are', async () => {
    const error = await errorOf(at(same, { updatedAt: 'changed_at' }));
    expect(error).toMatchObject({ code: 'column_missing', kind: 'config' });
    expect(error.message).toBe('people has no column changed_at; it has id, updated_at, payload, words');
  });

  it('has a moment of another type', async () => {
    const error = await errorOf(at(same, { updatedAt: 'payload' }));
    expect(error).toMatchObject({ code: 'wrong_type', kind: 'config' });
  });

  it('offers no TLS, which is asked for unless the settings say otherwise', async () => {
    const source = kinds[kind].open({ ...settings(kind, { url: databases[kind].url }), tls: {} }, limits);
    expect((await errorOf(source)).code).toBe('tls');
  });

  it('is quoted: a name is no statement', async () => {
    const table = kind === 'mysql' ? 'people; DROP TABLE people' : '"people""; DROP TABLE people; --"';
    expect((await errorOf(at(same, { table }))).code).toBe('table_missing');
    await at(same).test();
  });

  it('is not waited for without end when a statement takes long', async () => {
    const sleep = kind === 'mysql' ? 'SLEEP(20)' : 'pg_sleep(20)::text';
    await statement(
      "INSERT INTO people VALUES ('b', '2026-01-31', 'p', 'w')",
      `CREATE VIEW slow AS SELECT id, updated_at, ${sleep} AS payload FROM people`,
    );
    const began = Date.now();
    expect(['time_limit', 'no_answer']).toContain(
      (await errorOf(at(same, { table: 'slow' }, { ...limits, statementMs: 500, questionMs: 500 }))).code,
    );
    expect(Date.now() - began).toBeLessThan(15_000);
  });
});
