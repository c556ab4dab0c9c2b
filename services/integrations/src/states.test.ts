/** Each state in which a job ends, and jobs that begin by their schedule: the whole service in this process, on real servers. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { completeSettings } from '@roster/access';
import { type Config, createLog, createMetrics, type Running } from '@roster/runtime';
import { createTestCaller, useServers } from '@roster/testkit';
import { createAnswer } from './handlers.ts';
import { startIntegrations } from './start.ts';

const credential = 'ROSTER_CREDENTIAL_NOWHERE';

let folder: string;
let service: Running;
let caller: ReturnType<typeof createTestCaller>;

const start = (REDIS_URL: string, MONGO_URL: string): Promise<Running> => {
  const config: Config<'integrations'> = {
    LOG_LEVEL: 'silent',
    HOST: '127.0.0.1',
    ADMIN_PORT: 0,
    REDIS_URL,
    MONGO_URL,
    ROSTER_SECRET: 'a secret for tests only',
    TRACK_PARTITIONS: 2,
    REDIS_WAIT_REPLICAS: 0,
    CREDENTIALS_DIR: '',
    IDEMPOTENCY_SHARE: 0.1,
    SHED_MEMORY_SHARE: 0.7,
    SHED_MEMORY_BYTES: 1e9,
    SHED_OLDEST_MINUTES: 60,
  };
  const admin = { port: 0, close: async () => {} };
  const log = createLog({ service: 'integrations', level: 'silent' });
  const context = { config, log, admin, metrics: createMetrics({ service: 'integrations' }) };
  return startIntegrations(context, { jobs: { mostTries: 3, firstPauseMs: 20 } });
};

const servers = useServers(async ({ redisUrl, mongoUrl, store }) => {
  folder = await mkdtemp(join(tmpdir(), 'roster-states-'));
  for (const name of ['later', 'wrong']) await mkdir(join(folder, name));
  const rowOf = (UPDATED_AT: string): string =>
    `${JSON.stringify({ EXTERNAL_ID: 'ada', UPDATED_AT, PAYLOAD: 'no object' })}\n`;
  await writeFile(join(folder, 'later', 'a.ndjson'), rowOf('2999-01-31T10:00:00Z'));
  await writeFile(join(folder, 'wrong', 'a.ndjson'), rowOf('2026-01-31T10:00:00Z'));
  process.env[credential] = 'postgresql://reader:secret@127.0.0.1:1/shop';
  const connections = [
    ...['later', 'wrong', 'missing'].map((id) => ({
      id,
      kind: 'files',
      folder: join(folder, id),
      format: 'ndjson',
    })),
    { id: 'nowhere', kind: 'postgresql', url: { env: credential } },
  ];
  const settings = completeSettings({ id: 'demo', integrations: { connections } });
  await store.workspaces.put(settings);
  const connectionOf = async (_ws: string, id: string) =>
    settings.integrations.connections.find((one) => one.id === id);
  caller = createTestCaller(createAnswer({ store, connectionOf }));
  service = await start(redisUrl, mongoUrl);
  return async () => {
    await service.stop();
    delete process.env[credential];
    await rm(folder, { recursive: true });
  };
});

const make = async (connection: string, more: object = {}): Promise<string> => {
  const { body } = await caller.send('cdi.integration_create', {
    body: { integration_name: connection, connection, data: 'attributes', payload: 'PAYLOAD', ...more },
  });
  return String(body.integration_id);
};

const ended = async (integration: string) => {
  for (;;) {
    const job = await servers.store.syncs.jobs.findOne({ integration });
    if (job && job.state !== 'running') return job;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

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
  expect(row?.reason).toContain('PAYLOAD');
});

it('config_error: at once, as another try would not help', async () => {
  const job = await run(await make('missing'));
  expect(job).toMatchObject({ state: 'config_error', tries: 0 });
  expect(job.reason).toContain('missing');
});

it('error: a source that does not answer is tried again before, and said in words without the password', async () => {
  const job = await run(await make('nowhere', { table: 'customers' }));
  expect(job).toMatchObject({ state: 'error', tries: 2 });
  expect(job.reason).toContain('127.0.0.1:1');
  expect(job.reason).not.toContain('secret');
});

it('begins by its schedule, and no more once it is paused', async () => {
  const id = await make('wrong', { schedule: { every: 'hour' } });
  const { jobs, integrations } = servers.store.syncs;
  await integrations.updateOne({ _id: id }, { $set: { schedule: '* * * * * *' } });
  // Schedules are looked at every 15 seconds.
  expect(await ended(id)).toMatchObject({ state: 'partial' });
  await caller.send('cdi.integration_update', { params: { integration_id: id }, body: { paused: true } });
  const before = await jobs.countDocuments({ integration: id });
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(await jobs.countDocuments({ integration: id })).toBe(before);
}, 60_000);
