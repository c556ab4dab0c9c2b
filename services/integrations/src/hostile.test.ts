/** A database that answers too much ends one job, with its reason, and costs no other workspace anything: the whole service, on real servers. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { completeSettings } from '@roster/access';
import { giveWay, type Running } from '@roster/runtime';
import {
  contextOf,
  createTestCaller,
  hostile,
  openHostile,
  until,
  usePostgresql,
  useServers,
  useThread,
} from '@roster/testkit';
import { Client } from 'pg';
import { createAnswer } from './handlers.ts';
import { startIntegrations } from './start.ts';

let service: Running;
let caller: ReturnType<typeof createTestCaller>;
/** Of the processes that read. */
const pids: number[] = [];
const priorities: number[] = [];
const ownPriority = getPriority();

const script = useThread(join(__dirname, '../../../packages/sources/src/apart/source-process.ts'));

const database = usePostgresql(async (url) => {
  const db = new Client(url);
  await db.connect();
  await db.query(`CREATE TABLE wrong (external_id text, payload text, updated_at timestamptz);
    INSERT INTO wrong VALUES ('ada', 'no object', '2026-01-31T10:00:00Z');`);
  return () => db.end();
});

const servers = useServers(async ({ redisUrl, mongoUrl, store }) => {
  const peer = await openHostile(hostile.mongodb['a first answer of 24 MB']);
  const dir = await mkdtemp(join(tmpdir(), 'roster-hostile-'));
  await writeFile(join(dir, 'good'), database.url);
  await writeFile(join(dir, 'bad'), `mongodb://someone:secret@${peer.at}/shop`);
  const connections = {
    good: { id: 'good', kind: 'postgresql', url: { file: 'good' }, tls: 'off' },
    bad: { id: 'bad', kind: 'mongodb', url: { file: 'bad' }, tls: 'off' },
  };
  for (const [id, connection] of Object.entries(connections))
    await store.workspaces.put(completeSettings({ id, integrations: { connections: [connection] } }));
  const connectionOf = async (ws: string) =>
    completeSettings({ id: ws, integrations: { connections: [connections[ws as 'good' | 'bad']] } })
      .integrations.connections[0];
  caller = createTestCaller(createAnswer({ store, connectionOf }));
  const context = await contextOf('integrations', { redisUrl, mongoUrl }, { CREDENTIALS_DIR: dir });
  service = await startIntegrations(context, {
    jobs: {
      mostTries: 2,
      firstPauseMs: 20,
      apart: {
        script: script(),
        // Each job has a new one.
        oldestMs: 0,
        onStart(pid) {
          pids.push(pid);
          priorities.push(getPriority(pid));
          // How long a job takes that gives way to all other tests says nothing about how it ends.
          giveWay({ pid, priority: ownPriority });
        },
      },
    },
  });
  return async () => {
    await service.stop();
    await peer.close();
    await rm(dir, { recursive: true });
  };
});

/** Of this process, with the server that it plays. */
const peakMegabytes = (): number => process.resourceUsage().maxRSS / 1_024;

const begin = async (ws: 'good' | 'bad', table: string): Promise<string> => {
  const { body } = await caller.send('cdi.integration_create', {
    ws,
    body: { integration_name: table, connection: ws, table, data: 'attributes' },
  });
  const id = String(body.integration_id);
  await caller.send('cdi.integration_sync', { ws, params: { integration_id: id } });
  return id;
};

const ended = (integration: string) =>
  until(() => servers.store.syncs.jobs.findOne({ integration, state: { $ne: 'running' } }));

it('is read by a process that gives way, of a service that does not', async () => {
  await ended(await begin('good', 'wrong'));
  expect(priorities.splice(0)).toEqual([constants.priority.PRIORITY_BELOW_NORMAL]);
  pids.length = 0;
  expect(getPriority()).toBe(ownPriority);
});

it('ends its job with a reason while another workspace is synced', async () => {
  const before = peakMegabytes();
  const bad = await begin('bad', 'people');
  await until(() => pids.length > 0);
  expect(await ended(await begin('good', 'wrong'))).toMatchObject({ state: 'partial', failed: 1 });
  const job = await ended(bad);
  expect(job).toMatchObject({ state: 'error', tries: 1, taken: 1 });
  expect(job.reason).toMatch(/^reading took more than 256 MB of memory: the database answers with too much/);
  const { body } = await caller.send('cdi.integration_job_status', {
    ws: 'bad',
    params: { integration_id: bad },
  });
  expect(JSON.stringify(body)).toContain('256 MB of memory');
  // One for each try, and one of the other workspace.
  expect(pids).toHaveLength(3);
  expect(peakMegabytes() - before).toBeLessThan(200);
});
