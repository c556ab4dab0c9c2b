/** Jobs that read a collection of a real MongoDB. Their rows are refused, so nothing is sent. */
import { makeIntegration } from '../testbed.ts';
import { type Lease, Stopping } from './lease.ts';
import type { Sender } from './sender.ts';
import { useJobs, useSource } from './testbed.ts';

const source = useSource();
const { store, test, run, take, begin } = useJobs('mongodb', source);

const unused = (): never => {
  throw new Error('nothing is to be sent');
};
const runJob = (lease: Lease, instead: Partial<Sender> = {}) =>
  run(lease, { pay: unused, requestOf: unused, send: unused, again: unused, ...instead });

/** An integration of this table, in which so many rows fail. */
const makeFailing = async (table: string, count: number): Promise<string> => {
  const people = Array.from({ length: count }, (_, n) => ({
    external_id: `${table}-${n}`,
    dob: 'long ago',
    updated_at: new Date(Date.UTC(2026, 0, 31, 10, 0, n)),
  }));
  await source.client.db().collection(table).insertMany(people);
  return makeIntegration(test, { table });
};

it('a job that is taken over does not try its own failed rows again', async () => {
  const id = await makeFailing('customers', 2);
  const failedIn = async (cursor?: string): Promise<number | undefined> => {
    await begin(id);
    const lease = await take();
    if (cursor !== undefined) lease.job.cursor = cursor;
    await runJob(lease);
    lease.end();
    return (await store.syncs.jobs.findOne({ _id: lease.job._id }))?.failed;
  };
  expect(await failedIn()).toBe(2);
  expect(await store.syncs.retries.countDocuments()).toBe(2);
  const { cursor } = (await store.syncs.integrations.findOne({ _id: id })) ?? {};
  // As a job whose process died after it had read so far.
  expect(await failedIn(cursor)).toBe(0);
  expect(await failedIn()).toBe(2);
});

it('rows that fail together are kept in one write, however many they are', async () => {
  const id = await makeFailing('many', 400);
  const { retries } = store.syncs;
  const writes = [
    jest.spyOn(retries, 'updateOne'),
    jest.spyOn(retries, 'insertOne'),
    jest.spyOn(retries, 'bulkWrite'),
  ];
  await begin(id);
  const lease = await take();
  await runJob(lease);
  lease.end();
  expect(writes.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(1);
  expect(await retries.countDocuments({ integration: id })).toBe(400);
});

it('a job that stops ends after the request that it was saving', async () => {
  // One request, and rows of the next one.
  await begin(await makeFailing('stopped', 600));
  const stopping = new AbortController();
  const lease = await take(stopping);
  const seen: string[] = [];
  const stamp = async (): Promise<number> => {
    stopping.abort(new Stopping('the process stops'));
    for (let n = 0; n < 50; n += 1) await store.syncs.jobs.countDocuments();
    seen.push('saving has ended');
    return Date.now();
  };
  await expect(runJob(lease, { stamp })).rejects.toThrow('the process stops');
  seen.push('the job has ended');
  lease.end();
  expect(seen).toEqual(['saving has ended', 'the job has ended']);
});
