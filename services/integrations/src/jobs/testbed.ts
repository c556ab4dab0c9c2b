/** For tests: jobs that read a database of their own, in this process. What they send counts as applied. */
import os from 'node:os';
import { completeSettings } from '@roster/access';
import { createJudgeRows } from '@roster/integrations';
import type { SyncChunkDocument } from '@roster/store';
import { foreignMongo } from '@roster/testkit';
import { MongoClient } from 'mongodb';
import { useTestbed } from '../testbed.ts';
import { type Lease, takeJob } from './lease.ts';
import { createRunJob } from './run.ts';
import type { Sender } from './sender.ts';

/** A MongoDB to read from. */
export const useSource = () => {
  const source = {} as { url: string; client: MongoClient };
  beforeAll(async () => {
    const url = foreignMongo();
    Object.assign(source, { url, client: new MongoClient(url, { runtimeAdapters: { os } }) });
  });
  afterAll(async () => {
    await source.client.db().dropDatabase();
    await source.client.close();
  });
  return source;
};

/** `source` is read by the connection `warehouse`; of files by `exports`: it is the folder of folders, in which `shop` is read. */
export const useJobs = (
  kind: 'files' | 'mongodb' | 'mysql' | 'postgresql',
  source: { readonly url: string },
) => {
  const { store, test } = useTestbed();
  const where =
    kind === 'files'
      ? { id: 'exports', folder: 'shop', format: 'ndjson' }
      : { id: 'warehouse', url: { env: 'ROSTER_CREDENTIAL_W' }, tls: 'off' };
  const connection = { kind, ...where };
  const settings = completeSettings({
    id: 'demo',
    integrations: { connections: [connection] },
    subscription_groups: [{ id: 'news', name: 'News', channel: 'email' }],
  });
  /** It compiles schemas: once for all jobs. */
  const judgeRows = createJudgeRows();
  let stamp = Date.now() * 1_000;

  const apply = async ({ _id, ws, at, op = '' }: SyncChunkDocument, more: object = {}): Promise<void> => {
    const [applied, expires] = [new Date(), new Date(Date.now() + 1e8)];
    await store.requests.insertOne({ _id, ws, at, op, state: 'applied', applied, expires, ...more });
  };
  const sender: Sender = {
    pay: async () => true,
    stamp: async () => ++stamp,
    idOf: (ws, at) => `${ws}/${at}`,
    requestOf: ({ _id }) => _id,
    isBusy: () => false,
    others: () => 0,
    send: (chunk) => apply(chunk),
    again: async (chunk) => chunk,
    sendLost: async () => {},
  };
  const run = (lease: Lease, instead: Partial<Sender> = {}): Promise<void> =>
    createRunJob({
      ...{ store, sender: { ...sender, ...instead }, judgeRows, settingsOf: async () => settings },
      places: { read: async () => source.url, filesDir: source.url },
      syncs: () => 1,
    })(lease);

  const take = async ({ signal } = new AbortController()): Promise<Lease> => {
    const lease = await takeJob({ jobs: store.syncs.jobs, leaseMs: 600_000, stopping: signal });
    if (!lease) throw new Error('no job to take');
    return lease;
  };
  const begin = (id: string) => test.send('cdi.integration_sync', { params: { integration_id: id } });
  const change = (id: string, body: object) =>
    test.send('cdi.integration_update', { params: { integration_id: id }, body });

  return { store, test, apply, run, take, begin, change };
};
