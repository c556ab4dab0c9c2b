/** Each state in which a job ends, and jobs that begin by their schedule: the whole service in this process, on real servers. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { completeSettings } from '@roster/access';
import { timetable } from '@roster/queue';
import type { Running } from '@roster/runtime';
import { contextOf, createTestCaller, until, usePostgresql, useServers } from '@roster/testkit';
import { Queue } from 'bullmq';
import { Client } from 'pg';
import { createAnswer } from './handlers.ts';
import { startIntegrations } from './start.ts';

let service: Running;
let caller: ReturnType<typeof createTestCaller>;

const database = usePostgresql(async (url) => {
  const db = new Client(url);
  await db.connect();
  await db.query(`
    CREATE TABLE later (external_id text, payload text, updated_at timestamptz);
    CREATE TABLE wrong (LIKE later);
    INSERT INTO later VALUES ('ada', '{}', '2999-01-31T10:00:00Z');
    INSERT INTO wrong VALUES ('ada', 'no object', '2026-01-31T10:00:00Z');`);
  return () => db.end();
});

const servers = useServers(async ({ redisUrl, mongoUrl, store }) => {
  const dir = await mkdtemp(join(tmpdir(), 'roster-states-'));
  await writeFile(join(dir, 'here'), database.url);
  await writeFile(join(dir, 'nowhere'), 'postgresql://reader:secret@127.0.0.1:1/shop');
  const connections = ['here', 'nowhere'].map((id) => ({
    ...{ id, kind: 'postgresql', url: { file: id }, tls: 'off' },
  }));
  const settings = completeSettings({ id: 'demo', integrations: { connections } });
  await store.workspaces.put(settings);
  const connectionOf = async (_ws: string, id: string) =>
    settings.integrations.connections.find((one) => one.id === id);
  caller = createTestCaller(createAnswer({ store, connectionOf }));
  const context = await contextOf('integrations', { redisUrl, mongoUrl }, { CREDENTIALS_DIR: dir });
  service = await startIntegrations(context, { jobs: { mostTries: 3, firstPauseMs: 20, tidyEveryMs: 100 } });
  return async () => {
    await service.stop();
    await rm(dir, { recursive: true });
  };
});

const make = async (table: string, more: object = {}): Promise<string> => {
  const { body } = await caller.send('cdi.integration_create', {
    body: { integration_name: table, connection: 'here', table, data: 'attributes', ...more },
  });
  return String(body.integration_id);
};

const ended = (integration: string) =>
  until(() => servers.store.syncs.jobs.findOne({ integration, state: { $ne: 'running' } }));

const run = async (id: string) => {
  await caller.send('cdi.integration_sync', { params: { integration_id: id } });
  return ended(id);
};

it('success: rows of the future wait', async () => {
  expect(await run(await make('later'))).toMatchObject({ state: 'success', synced: 0, failed: 0 });
});

it('partial: the rows that failed are kept with their reasons', async () => {
  const id = await make('wrong');
  expect(await run(id)).toMatchObject({ state: 'partial', synced: 0, failed: 1 });
  const [row] = await servers.store.syncs.rows.find({ integration: id }).toArray();
  expect(row?.reason).toContain('payload');
});

it('config_error: at once, as another try would not help', async () => {
  const job = await run(await make('missing'));
  expect(job).toMatchObject({ state: 'config_error', tries: 0 });
  expect(job.reason).toContain('missing');
});

it('error: a source that does not answer is tried again before, and said in words without the password', async () => {
  const job = await run(await make('customers', { connection: 'nowhere' }));
  expect(job).toMatchObject({ state: 'error', tries: 2 });
  expect(job.reason).toContain('127.0.0.1:1');
  expect(job.reason).not.toContain('secret');
});

it('begins by its schedule, and no more once it is paused', async () => {
  const id = await make('wrong', { schedule: { every: 'hour' } });
  await servers.store.syncs.integrations.updateOne({ _id: id }, { $set: { schedule: '* * * * * *' } });
  expect(await ended(id)).toMatchObject({ state: 'partial' });
  await caller.send('cdi.integration_update', { params: { integration_id: id }, body: { paused: true } });
  const { name, prefix } = timetable;
  const schedulers = new Queue(name, { connection: servers.redis, prefix });
  await until(async () => (await schedulers.getJobSchedulersCount()) === 0);
  await schedulers.close();
});
