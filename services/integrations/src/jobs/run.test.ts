/** Jobs that read a collection of a real MongoDB. Their rows are refused, so nothing is sent. */
import os from 'node:os';
import { completeSettings } from '@roster/access';
import { createJudgeRows } from '@roster/integrations';
import { testMongo } from '@roster/testkit';
import { MongoClient } from 'mongodb';
import { makeIntegration, useTestbed } from '../testbed.ts';
import { type Lease, Stopping, takeJob } from './lease.ts';
import { createRunJob } from './run.ts';
import type { Sender } from './sender.ts';

const { store, test } = useTestbed();

let client: MongoClient;
let url = '';
beforeAll(async () => {
  const server = await testMongo();
  url = server.url;
  client = new MongoClient(url, { runtimeAdapters: { os } });
});
afterAll(async () => {
  await client.db().dropDatabase();
  await client.close();
});

const unused = (): never => {
  throw new Error('nothing is to be sent');
};
const sender: Sender = {
  pay: unused,
  stamp: async () => Date.now(),
  requestOf: unused,
  isBusy: () => false,
  others: () => 0,
  send: unused,
  again: unused,
  sendLost: async () => {},
};

const connection = { id: 'warehouse', kind: 'mongodb', url: { env: 'ROSTER_CREDENTIAL_W' }, tls: 'off' };
/** It compiles schemas: once for all jobs. */
const judgeRows = createJudgeRows();
const runJob = (lease: Lease, instead: Partial<Sender> = {}) =>
  createRunJob({
    store,
    sender: { ...sender, ...instead },
    judgeRows,
    settingsOf: async () => completeSettings({ id: 'demo', integrations: { connections: [connection] } }),
    places: { read: async () => url, filesDir: '' },
    syncs: () => 1,
  })(lease);

const take = async (id: string, stopping = new AbortController()) => {
  await test.send('cdi.integration_sync', { params: { integration_id: id } });
  const lease = await takeJob({
    jobs: store.syncs.jobs,
    leaseMs: 600_000,
    stopping: stopping.signal,
  });
  if (!lease) throw new Error('no job to take');
  return lease;
};

it('a job that is taken over does not try its own failed rows again', async () => {
  const at = (seconds: number) => new Date(Date.UTC(2026, 0, 31, 10, 0, seconds));
  const people = [1, 2].map((n) => ({ external_id: `p${n}`, dob: 'long ago', updated_at: at(n) }));
  await client.db().collection('customers').insertMany(people);
  const id = await makeIntegration(test);
  const failedIn = async (cursor?: string): Promise<number | undefined> => {
    const lease = await take(id);
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
  const people = Array.from({ length: 400 }, (_, n) => ({
    external_id: `many-${n}`,
    dob: 'long ago',
    updated_at: new Date(Date.UTC(2026, 0, 31, 10, 0, n)),
  }));
  await client.db().collection('many').insertMany(people);
  const id = await makeIntegration(test, { table: 'many' });
  const { retries } = store.syncs;
  const writes = [
    jest.spyOn(retries, 'updateOne'),
    jest.spyOn(retries, 'insertOne'),
    jest.spyOn(retries, 'bulkWrite'),
  ];
  const lease = await take(id);
  await runJob(lease);
  lease.end();
  expect(writes.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(1);
  expect(await retries.countDocuments({ integration: id })).toBe(400);
});

it('a job that stops ends after the request that it was saving', async () => {
  // One request, and rows of the next one.
  const people = Array.from({ length: 600 }, (_, n) => ({
    external_id: `stopped-${n}`,
    dob: 'long ago',
    updated_at: new Date(Date.UTC(2026, 0, 31, 10, 0, n)),
  }));
  await client.db().collection('stopped').insertMany(people);
  const stopping = new AbortController();
  const lease = await take(await makeIntegration(test, { table: 'stopped' }), stopping);
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
