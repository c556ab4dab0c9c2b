/** Jobs on files in a folder. */
import { mkdir, open as openFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useFolder } from '@roster/testkit';
import { makeIntegration } from '../testbed.ts';
import { useJobs } from './testbed.ts';

const folder = useFolder();
const { store, test, run, take, begin } = useJobs('files', { url: folder() });

const write = async (name: string, days: readonly number[]): Promise<void> => {
  const lines = days.map((day) =>
    JSON.stringify({ external_id: `${name}-${day}`, updated_at: `2026-01-${day}T10:00:00Z` }),
  );
  await writeFile(join(folder(), 'shop', `${name}.ndjson`), lines.join('\n'));
};

const sync = async (id: string): Promise<unknown> => {
  await begin(id);
  const lease = await take();
  await run(lease).finally(() => lease.end());
  const { body } = await test.send('cdi.integration_job_status', { params: { integration_id: id } });
  return (body as { results: unknown[] }).results[0];
};

const age = (name: string, hours: number): Promise<void> => {
  const changed = new Date(Date.now() - hours * 3_600_000);
  return utimes(join(folder(), 'shop', `${name}.ndjson`), changed, changed);
};

it('a job tells how many rows of new files are late, and reads no file once more for it', async () => {
  await mkdir(join(folder(), 'shop'));
  await write('a', [20, 21]);
  await age('a', 1);
  const id = await makeIntegration(test, { connection: 'exports', table: undefined });
  expect(await sync(id)).toMatchObject({ job_status: 'success', rows_synced: 2 });
  await write('b', [10, 11, 22]);
  const handle = await openFile(join(folder(), 'shop', 'b.ndjson'));
  const reads = jest.spyOn(Object.getPrototypeOf(handle), 'read');
  await handle.close();
  expect(await sync(id)).toMatchObject({ job_status: 'success', rows_synced: 1, rows_late: 2 });
  const withNew = reads.mock.calls.length;
  await age('b', 1);
  expect(await sync(id)).not.toHaveProperty('rows_late');
  expect(reads.mock.calls.length - withNew).toBe(withNew);
  expect(withNew).toBeGreaterThan(0);
});

it('a job that was taken over counts none: it reads from another place', async () => {
  await write('a', [20, 21]);
  const id = await makeIntegration(test, { connection: 'exports', table: undefined });
  await sync(id);
  await write('b', [10, 23]);
  await begin(id);
  const cursor = JSON.stringify({ updatedAt: '2026-01-22T10:00:00Z', tie: null });
  await store.syncs.jobs.updateOne({ state: 'running' }, { $set: { cursor } });
  const lease = await take();
  await run(lease).finally(() => lease.end());
  const job = await store.syncs.jobs.findOne({ _id: lease.job._id });
  expect(job).toMatchObject({ state: 'success', synced: 1 });
  expect(job).not.toHaveProperty('late');
});

it('a file that was there just before the sync before is not counted', async () => {
  await rm(join(folder(), 'shop'), { recursive: true, force: true });
  await mkdir(join(folder(), 'shop'));
  await write('a', [20, 21]);
  // No whole second, in which it may have come later.
  const changed = new Date(Math.floor((Date.now() - 300) / 1_000) * 1_000 + 123);
  await utimes(join(folder(), 'shop', 'a.ndjson'), changed, changed);
  const id = await makeIntegration(test, { connection: 'exports', table: undefined });
  await sync(id);
  expect(await sync(id)).not.toHaveProperty('rows_late');
});
