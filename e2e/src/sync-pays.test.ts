/** Rows are paid from the pool of their workspace: a sync keeps to its half of it, and requests of callers go on. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { completeSettings, publishWorkspace } from '@roster/access';
import { createSyncing, inShort } from './syncing.ts';
import { type Instead, type System, startSystem, workspace } from './system.ts';

jest.setTimeout(120_000);

/** A sync has 100 points in each second. */
const pool = { requests: 200, seconds: 1 };
const rows = 3_000;
/** They cost more than 650 points, of which those of the last request may be owed. */
const leastSeconds = 4;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roster-pays-'));
  const lines = Array.from({ length: rows }, (_, n) =>
    JSON.stringify({ external_id: `paid-${n}`, note: 'x'.repeat(150), updated_at: '2026-01-31T10:00:00Z' }),
  );
  await writeFile(join(folder, 'rows.ndjson'), lines.join('\n'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Ran {
  job: string;
  seconds: number;
  /** Of the requests that a caller sent meanwhile. */
  statuses: readonly number[];
}

const syncBeside = async (system: System): Promise<Ran> => {
  const settings = completeSettings({
    ...workspace,
    limits: {
      work: pool,
      'users.track': pool,
      'cdi.integration_job_status': { requests: 1_000, seconds: 1 },
    },
    integrations: { connections: [{ id: 'files', kind: 'files', folder, format: 'ndjson' }] },
  });
  await system.store.workspaces.put(settings);
  await publishWorkspace(system.redis, settings);
  await sleep(300);
  const { create, sync } = createSyncing(() => system);
  const id = await create({ connection: 'files', data: 'attributes' });
  const begun = performance.now();
  let isRunning = true;
  const statuses: number[] = [];
  const calling = (async () => {
    while (isRunning) {
      const body = { events: [{ external_id: 'live', name: 'seen', time: '2026-01-31T10:00:00Z' }] };
      statuses.push((await system.send('/users/track', { body })).status);
      await sleep(50);
    }
  })();
  const job = inShort(await sync(id));
  isRunning = false;
  await calling;
  return { job, seconds: (performance.now() - begun) / 1_000, statuses };
};

type Replace = NonNullable<NonNullable<Instead['integrations']>['sender']>;

/** It does not make way for others: only the price holds it back. */
const eager: Replace = (sender) => ({ ...sender, others: () => 0, isBusy: () => false });

let system: System;

beforeAll(async () => {
  system = await startSystem({ integrations: { sender: eager } });
});
afterAll(() => system.stop());

it('a sync waits for the windows of its workspace, and no caller is refused for it', async () => {
  const { job, seconds, statuses } = await syncBeside(system);
  expect(job).toBe(`success ${rows}+0`);
  expect(seconds).toBeGreaterThan(leastSeconds);
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(10);
  expect(statuses).not.toContain(429);
});
