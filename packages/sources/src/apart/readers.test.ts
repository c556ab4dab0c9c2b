/** Processes that read wait for the next job of the same owner. */
import { join } from 'node:path';
import { openHostile, until, usePostgresql, useThread } from '@roster/testkit';
import { Client } from 'pg';
import type { ServerTable } from '../settings.ts';
import { failureOf, secret } from '../testbed.ts';
import { createReaders } from './open-apart.ts';

const script = useThread(join(__dirname, 'source-process.ts'));

const database = usePostgresql(async (url) => {
  const admin = new Client(url);
  await admin.connect();
  await admin.query('CREATE TABLE people (id text)');
  return () => admin.end();
});

const tableAt = (url: string): ServerTable => ({
  ...{ kind: 'postgresql', url, table: 'people', tls: { mode: 'off' } },
});

type Options = Parameters<typeof createReaders>[0];

let pids: number[] = [];
let ended: string[] = [];
let readers: ReturnType<typeof createReaders>;
const create = (more: Partial<Options> = {}): void => {
  readers = createReaders({
    env: { ...process.env, ROSTER_SECRET: secret },
    script: script(),
    limits: { busyMs: 600_000, silentMs: 600_000 },
    most: 4,
    idleMs: 600_000,
    oldestMs: 600_000,
    onStart: (pid) => pids.push(pid),
    onEnd: ({ code }, owner) => ended.push(`${owner}: ${code}`),
    ...more,
  });
};
beforeEach(() => {
  [pids, ended] = [[], []];
});
afterEach(() => readers.close());

const isThere = (pid: number | undefined): boolean => {
  try {
    return process.kill(pid ?? 0, 0);
  } catch {
    return false;
  }
};

const job = async (owner: string, url = database.url) => {
  const sources = readers.open(owner);
  const answer = await sources.readColumns(tableAt(url)).catch((error: unknown) => error);
  await sources.close();
  return answer;
};

it('the next job of an owner has the process of the one before, that of another owner has not', async () => {
  create();
  expect(await job('a')).toHaveLength(1);
  expect(await job('a', 'postgresql://a@127.0.0.1:1/db')).toMatchObject({ code: 'connection_refused' });
  expect(await job('a')).toHaveLength(1);
  expect(pids).toHaveLength(1);
  expect(await job('b')).toHaveLength(1);
  expect(pids).toHaveLength(2);
  await readers.close();
  expect(pids.some(isThere)).toBe(false);
});

it('two jobs of one owner at a time have two processes', async () => {
  create();
  const all = [readers.open('a'), readers.open('a')];
  for (const sources of all) await sources.readColumns(tableAt(database.url));
  expect(pids).toHaveLength(2);
  for (const sources of all) await sources.close();
  await Promise.all([job('a'), job('a')]);
  expect(pids).toHaveLength(2);
});

it.each([
  ['has waited for long enough', { idleMs: 1 }],
  ['is old', { oldestMs: 0 }],
])('one that %s ends', async (_, more) => {
  create(more);
  await job('a');
  await until(() => !isThere(pids[0]));
  await job('a');
  expect(pids).toHaveLength(2);
});

it('there are no more than may be, with those that wait: the one that waits longest goes', async () => {
  create({ most: 2 });
  for (const owner of ['a', 'b', 'c']) await job(owner);
  await until(() => !isThere(pids[0]));
  await job('b');
  expect(pids).toHaveLength(3);
  const used = readers.open('b');
  await used.readColumns(tableAt(database.url));
  await job('a');
  await until(() => !isThere(pids[2]));
  expect(pids.map(isThere)).toEqual([false, true, false, true]);
  await used.close();
});

it('one whose job left a question open, and one that was killed, are used by no other job', async () => {
  create();
  const silent = await openHostile(() => {});
  const sources = readers.open('a');
  const failure = failureOf(sources.readColumns(tableAt(`postgresql://a@${silent.at}/db`)));
  await until(() => pids.length > 0);
  await sources.close();
  expect(await failure).toMatchObject({ code: 'connection_lost' });
  expect(isThere(pids[0])).toBe(false);
  await silent.close();

  await job('a');
  process.kill(pids[1] ?? 0, 'SIGKILL');
  await until(() => ended.length > 0);
  expect(ended).toEqual(['a: reader_ended']);
  expect(await job('a')).toHaveLength(1);
  expect(pids).toHaveLength(3);
});
