/** Sources whose drivers run in a process of their own: they read as any other, and nothing that a server does ends more than that process. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { hostile, openHostile, until, useFolder, usePostgresql, useThread } from '@roster/testkit';
import { Client } from 'pg';
import type { Limits } from '../bounds.ts';
import type { ServerSettings } from '../settings.ts';
import type { Source } from '../source.ts';
import type { SourceErrorCode } from '../source-error.ts';
import { failureOf, itReadsInOrder, type Person, patient, readAll, secret } from '../testbed.ts';
import type { ReaderLimits } from './limits.ts';
import { openApart, type Sources } from './open-apart.ts';

const script = useThread(join(__dirname, 'source-process.ts'));
const inFolder = useFolder();

/** Out of reach, as in `patient`. */
const patientReader = { busyMs: 600_000, silentMs: 600_000 };

const opened: Sources[] = [];
let pids: number[] = [];
let ends: string[] = [];
beforeEach(() => {
  [pids, ends] = [[], []];
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

interface More {
  script?: URL;
  limits?: Partial<ReaderLimits>;
  sourceLimits?: Partial<Limits>;
}

const open = (more: More = {}): Sources => {
  const sources = openApart({
    env: { ...process.env, ROSTER_SECRET: secret },
    script: more.script ?? script(),
    limits: { ...patientReader, ...more.limits },
    sourceLimits: { ...patient, ...more.sourceLimits },
    onStart: (pid) => pids.push(pid),
    onEnd: ({ code }) => ends.push(code),
  });
  opened.push(sources);
  return sources;
};

/** Of this process, with the servers that it plays. */
const peakMegabytes = (): number => process.resourceUsage().maxRSS / 1_024;

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const tableAt = (kind: ServerSettings['kind'], at: string): ServerSettings => ({
  ...{ kind, url: `${kind}://someone:${secret}@${at}/db`, table: 'people' },
  ...{ updatedAt: 'updated_at', tie: 'id', tls: { mode: 'off' } },
});

describe('a table of a real PostgreSQL', () => {
  let admin: Client;
  const database = usePostgresql(async (url) => {
    admin = new Client(url);
    await admin.connect();
    return () => admin.end();
  });
  const sourceIn = (sources: Sources, more: Partial<ServerSettings> = {}): Source =>
    sources.openSource({ ...tableAt('postgresql', ''), url: database.url, ...more });
  const fill = async (people: readonly Person[]) => {
    await admin.query(
      'DROP TABLE IF EXISTS people; CREATE TABLE people (id text, updated_at timestamptz, payload text)',
    );
    await admin.query(
      'INSERT INTO people SELECT id, at, payload FROM json_to_recordset($1) AS p(id text, at timestamptz, payload text)',
      [JSON.stringify(people)],
    );
  };

  describe('as any source, in one process', () => {
    const shared: Sources[] = [];
    itReadsInOrder({
      fill,
      open() {
        const [sources = open()] = shared;
        shared.push(sources);
        // Not the one of a test.
        opened.splice(0);
        return sourceIn(sources);
      },
    });
    afterAll(() => shared[0]?.close());
  });

  it('keeps numbers exact, and says what it says in one process', async () => {
    await admin.query(`DROP TABLE IF EXISTS exact; CREATE TABLE exact (id int8, updated_at timestamptz, payload jsonb);
      INSERT INTO exact VALUES (9007199254740993, '2026-01-31', '{"a":[1e20,null]}')`);
    const source = sourceIn(open(), { table: 'exact' });
    const [found] = await readAll(source);
    expect(found?.row).toMatchObject({ id: 9007199254740993n, payload: { a: [1e20, null] } });
    const none = new AbortController().signal;
    expect(await source.clock(none)).toMatchObject({ lag: 0 });
    expect(await source.estimate(undefined, none)).toBeGreaterThan(0);
    const missing = sourceIn(open(), { table: 'nowhere' });
    expect(await failureOf(missing.test())).toMatchObject({ code: 'table_missing', kind: 'config' });
  });

  it('is read by one process for each job, which ends with it and its connections', async () => {
    await fill([]);
    const sources = open();
    const source = sourceIn(sources);
    expect(await sources.readColumns({ ...tableAt('postgresql', ''), url: database.url })).toHaveLength(3);
    expect(await readAll(source)).toEqual([]);
    expect(pids).toHaveLength(1);
    await sources.close();
    expect(pids.some(isThere)).toBe(false);
    expect(ends).toEqual([]);
    await until(async () => {
      const { rows } = await admin.query("SELECT FROM pg_stat_activity WHERE application_name = 'roster'");
      return rows.length === 0;
    });
    await expect(readAll(source)).rejects.toMatchObject({ code: 'connection_lost' });
  });

  it('has a log, which is written by the same process', async () => {
    await admin.query(
      'DROP TABLE IF EXISTS log; CREATE TABLE log (job text, key text, operation text, result text, reason text)',
    );
    const sources = open();
    const log = sources.openLog({ ...tableAt('postgresql', ''), url: database.url, table: 'log' });
    await log.test();
    await log.write([{ job: 'j', key: 'k', operation: 'attributes', result: 'failed', reason: 'why' }]);
    log.close();
    expect((await admin.query('SELECT * FROM log')).rows).toHaveLength(1);
    expect(pids).toHaveLength(1);
  });

  it('is stopped while its server thinks, and then answers other questions', async () => {
    await fill([{ id: 'a', at: '2026-01-31' }]);
    await admin.query(
      'CREATE OR REPLACE VIEW slow AS SELECT id, updated_at, pg_sleep(3600)::text AS payload FROM people',
    );
    const sources = open();
    const enough = new AbortController();
    const reading = readAll(sourceIn(sources, { table: 'slow' }), { signal: enough.signal });
    reading.catch(() => {});
    await until(async () => {
      const { rows } = await admin.query("SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
      return rows.length > 0;
    });
    enough.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    expect(await readAll(sourceIn(sources))).toHaveLength(1);
  });
});

interface Case {
  kind: keyof typeof hostile;
  behaviour: string;
  code: SourceErrorCode;
  words: string;
  limits?: Partial<Limits>;
}

const soon = { connectMs: 300, questionMs: 300 };
const late = { code: 'no_answer', words: 'does not answer in time', limits: soon } as const;
const tooLarge = { code: 'out_of_memory', words: 'more than 256 MB of memory' } as const;
const tooMuch = { code: 'too_large', words: 'answers with more than 16 MB at once' } as const;
const stranger = (name: string) => ({ code: 'not_this_protocol', words: `is not ${name}` }) as const;

const cases: readonly Case[] = [
  { kind: 'mongodb', behaviour: 'silent', ...late },
  { kind: 'mongodb', behaviour: 'a first answer of 24 MB', ...tooLarge },
  { kind: 'mongodb', behaviour: 'a first answer of 2 GB', ...tooLarge },
  { kind: 'postgresql', behaviour: 'silent', ...late },
  { kind: 'postgresql', behaviour: 'silent once it has let us in', ...late },
  { kind: 'postgresql', behaviour: 'parameters without end', ...stranger('PostgreSQL') },
  { kind: 'postgresql', behaviour: 'notices without end', ...tooMuch },
  { kind: 'postgresql', behaviour: 'a row without end', ...tooMuch },
  { kind: 'mysql', behaviour: 'silent', ...late },
  { kind: 'mysql', behaviour: 'a handshake without end', ...stranger('MySQL') },
  { kind: 'mysql', behaviour: 'an answer without end', ...tooMuch },
];

const failAt = async (kind: keyof typeof hostile, behaviour: string, more: More) => {
  const behaviours: Record<string, Parameters<typeof openHostile>[0]> = hostile[kind];
  const peer = await openHostile(behaviours[behaviour] ?? (() => {}));
  try {
    return await failureOf(open(more).readColumns(tableAt(kind, peer.at)));
  } finally {
    await peer.close();
  }
};

it.each(cases)('$kind, $behaviour: $code, and nothing else', async (one) => {
  const { kind, behaviour, code, words, limits = {} } = one;
  const before = peakMegabytes();
  const error = await failAt(kind, behaviour, { sourceLimits: limits });
  expect(error).toMatchObject({ code, message: expect.stringContaining(words) });
  expect(ends).toEqual(code === 'out_of_memory' ? [code] : []);
  expect(peakMegabytes() - before).toBeLessThan(150);
});

it.each([
  ['GSSAPI', 7, 'access_denied', 'sign in by GSSAPI, SSPI or Kerberos'],
  ['a way that nobody knows', 99, 'access_denied', 'let the user in with scram-sha-256'],
])('a PostgreSQL that asks for %s is told as that', async (_, way, code, words) => {
  const asks = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, way]);
  const peer = await openHostile((socket) => void socket.once('data', () => socket.write(asks)));
  const error = await failureOf(open().readColumns(tableAt('postgresql', peer.at)));
  expect(error).toMatchObject({ code, message: expect.stringContaining(words) });
  await peer.close();
});

it('what is too much is so only by the limits of memory', async () => {
  const error = await failAt('mongodb', 'a first answer of 24 MB', {
    limits: { heapMb: 2_048, memoryMb: 4_096 },
    sourceLimits: { connectMs: 30_000 },
  });
  expect(error.code).not.toBe('out_of_memory');
  expect(ends).toEqual([]);
});

describe('a process that misbehaves', () => {
  const failWith = async (text: string, limits: Partial<ReaderLimits> = {}) => {
    const file = inFolder('misbehaves.mjs');
    writeFileSync(file, `import { Socket } from 'node:net'; const pipe = new Socket({ fd: 3 });\n${text}`);
    const sources = open({ script: pathToFileURL(file), limits });
    const error = await failureOf(sources.readColumns(tableAt('postgresql', '127.0.0.1:1')));
    expect(await failureOf(sources.readColumns(tableAt('postgresql', '127.0.0.1:1')))).toBe(error);
    return error;
  };

  it.each([
    ['exits', 'process.exit(3);', 'reader_ended', 'exit code 3'],
    ['fails', "throw new Error('why');", 'reader_ended', 'exit code 1'],
    ['is killed', "process.kill(process.pid, 'SIGKILL');", 'reader_ended', 'SIGKILL'],
    [
      'fills its heap',
      'const all = []; for (;;) all.push(new Array(1000).fill(all.length));',
      'out_of_memory',
      '256 MB of memory',
    ],
    [
      'takes memory beside its heap',
      'const all = []; setInterval(() => all.push(Buffer.alloc(16e6, 1)), 10);',
      'out_of_memory',
      '256 MB of memory',
    ],
    [
      'says more than a page may have',
      "pipe.on('data', () => {}); pipe.write(Buffer.from([0x7f, 0xff, 0xff, 0xff, 0]));",
      'too_large',
      'page of rows',
    ],
  ])('that %s is an error of its source', async (_, text, code, words) => {
    expect(await failWith(text)).toMatchObject({ code, message: expect.stringContaining(words) });
    expect(ends).toEqual([code]);
    expect(pids.some(isThere)).toBe(false);
  });

  it('that is busy without end is given up', async () => {
    expect(await failWith('for (;;);', { busyMs: 300 })).toMatchObject({ code: 'time_limit' });
  });

  it('that is stopped is given up, as a last resort', async () => {
    const stops = "process.kill(process.pid, 'SIGSTOP');";
    expect(await failWith(stops, { silentMs: 300 })).toMatchObject({ code: 'reader_ended' });
  });

  it('that does not end when it is closed is killed', async () => {
    const file = inFolder('stays.mjs');
    writeFileSync(
      file,
      `import { Socket } from 'node:net'; const pipe = new Socket({ fd: 3, allowHalfOpen: true });
      pipe.once('data', () => pipe.write(Buffer.from([0, 0, 0, 16, 0, ...Buffer.from('{"id":1,"end":1}')])));
      setInterval(() => {}, 1000);`,
    );
    const sources = open({ script: pathToFileURL(file), limits: { closeMs: 50 } });
    await sources.readColumns(tableAt('postgresql', '127.0.0.1:1'));
    await sources.close();
    expect(pids.some(isThere)).toBe(false);
  });

  it('knows no secret of this process', async () => {
    const file = inFolder('tells.mjs');
    writeFileSync(
      file,
      `import { Socket } from 'node:net'; const pipe = new Socket({ fd: 3 });
      pipe.once('data', () => {
        const body = Buffer.from(JSON.stringify({ id: 1, value: [process.env, process.argv] }));
        const head = Buffer.alloc(5); head.writeUInt32BE(body.length); pipe.write(Buffer.concat([head, body]));
      });`,
    );
    const told = await open({ script: pathToFileURL(file) }).readColumns(tableAt('postgresql', 'h'));
    expect(JSON.stringify(told)).not.toContain(secret);
  });
});
