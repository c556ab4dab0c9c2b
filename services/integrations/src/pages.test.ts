import type { SyncJobDocument } from '@roster/store';
import { makeIntegration, useTestbed } from './testbed.ts';

const { store, test } = useTestbed();

type Results = { results: Record<string, unknown>[] };

const cursorIn = (link: string | undefined, rel: 'prev' | 'next'): string | undefined =>
  new RegExp(`cursor=([^>]+)>; rel="${rel}"`).exec(link ?? '')?.[1];

const page = async (cursor?: string) => {
  const { body, link } = await test.send('cdi.integration_list', {
    query: cursor === undefined ? {} : { cursor },
  });
  return { ids: (body as unknown as Results).results.map((one) => one.integration_name), link };
};

const make = async (from: number, count: number): Promise<string[]> => {
  const names = Array.from({ length: count }, (_, index) => `i${from + index}`);
  for (const integration_name of names) await makeIntegration(test, { integration_name });
  return names;
};

it('has no Link for ten and fewer', async () => {
  await make(0, 10);
  const { ids, link } = await page();
  expect(ids).toHaveLength(10);
  expect(link).toBeUndefined();
});

it('leads on with next, and back with prev', async () => {
  const names = await make(0, 25);
  const first = await page();
  expect(first.link).toMatch(/^<\/cdi\/integrations\?cursor=[\w-]+>; rel="next"$/);
  const second = await page(cursorIn(first.link, 'next'));
  expect(second.link).toMatch(/rel="prev",<\/cdi\/integrations\?cursor=[\w-]+>; rel="next"$/);
  const third = await page(cursorIn(second.link, 'next'));
  expect(third.link).toMatch(/^<[^>]+>; rel="prev"$/);
  expect([...first.ids, ...second.ids, ...third.ids]).toEqual(names);
  expect((await page(cursorIn(third.link, 'prev'))).ids).toEqual(second.ids);
  expect((await page(cursorIn(second.link, 'prev'))).ids).toEqual(first.ids);
});

it.each(['x', Buffer.from('after:').toString('base64url'), 'c2tpcDow'])(
  'refuses the cursor %s',
  async (cursor) => {
    const { status, body } = await test.send('cdi.integration_list', { query: { cursor } });
    expect([status, body.message]).toEqual([400, 'Invalid cursor']);
  },
);

const jobsOf = async (id: string, cursor?: string) => {
  const { body, link } = await test.send('cdi.integration_job_status', {
    params: { integration_id: id },
    query: cursor === undefined ? {} : { cursor },
  });
  return { jobs: (body as unknown as Results).results.map((one) => one.job_id), link };
};

const addJobs = async (integration: string, from: number, count: number): Promise<string[]> => {
  const jobs = Array.from({ length: count }, (_, index): SyncJobDocument => {
    const n = from + index;
    const began = new Date(1_763_000_000_000 + n);
    const counts = { token: 1, tries: 0, synced: 1, failed: 0, rows: 0 };
    return { _id: `job-${n}`, ws: 'demo', integration, n, state: 'success', began, ended: began, ...counts };
  });
  await store.syncs.jobs.insertMany(jobs);
  return jobs.map(({ _id }) => _id).toReversed();
};

it('shows no job twice and misses none while a thousand are added between its pages', async () => {
  const id = await makeIntegration(test);
  const old = await addJobs(id, 0, 30);
  const seen: unknown[] = [];
  let place: string | undefined;
  for (let n = 0; n < 3; n += 1) {
    const { jobs, link } = await jobsOf(id, place);
    seen.push(...jobs);
    place = cursorIn(link, 'next');
    await addJobs(id, 1_000 + n * 1_000, 1_000);
  }
  expect(seen).toEqual(old);
  expect(place).toBeUndefined();
});

it('shows the rows that failed in a job', async () => {
  const id = await makeIntegration(test);
  await addJobs(id, 1, 1);
  const row = (n: number) => ({
    _id: `job-1/${String(n).padStart(10, '0')}`,
    ws: 'demo',
    integration: id,
    reason: `reason ${n}`,
    row: '{}',
    at: 1,
    expires: new Date('2036-01-01'),
  });
  await store.syncs.rows.insertMany(Array.from({ length: 12 }, (_, n) => row(n)));
  const params = { integration_id: id, job_id: 'job-1' };
  const first = await test.send('cdi.integration_job_rows', { params });
  const next = cursorIn(first.link, 'next') ?? '';
  const second = await test.send('cdi.integration_job_rows', { params, query: { cursor: next } });
  const reasons = [first, second].flatMap(({ body }) =>
    (body as unknown as Results).results.map((one) => one.reason),
  );
  expect(reasons).toEqual(Array.from({ length: 12 }, (_, n) => `reason ${n}`));
  const missing = await test.send('cdi.integration_job_rows', { params: { ...params, job_id: 'job-2' } });
  expect(missing.status).toBe(404);
});
