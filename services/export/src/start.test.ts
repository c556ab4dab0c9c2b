import { createProducer, type Producer, type Submission } from '@roster/queue';
import type { Running } from '@roster/runtime';
import { contextOf, testSecret as secret, until, useServers } from '@roster/testkit';
import { startExport } from './start.ts';
import { aPerson, createTestbed, textOf } from './testbed.ts';

let service: Running;
let producer: Producer;

const servers = useServers(async ({ redisUrl: url, mongoUrl }) => {
  await test.add(aPerson({ _id: 'p-ada', external_id: 'ada' }));
  service = await startExport(await contextOf('export', { redisUrl: url, mongoUrl }));
  producer = createProducer({ url, secret, partitions: 2, waitReplicas: 0, idempotencyHours: 1 });
  return async () => {
    await producer.close();
    await service.stop();
  };
});
const test = createTestbed(servers.store);

const commit = async (more: Pick<Submission, 'op' | 'family' | 'waitMs'>, body: object) => {
  const commit = await producer.commit({
    ws: 'demo',
    content: {},
    body: Buffer.from(JSON.stringify(body)),
    entries: 1,
    ...more,
  });
  if (commit.state !== 'queued') throw new Error(commit.state);
  return commit.reply;
};

const exported = async (id = 'ada', field = 'external_id') => {
  const body = { external_ids: [id], fields_to_export: [field] };
  const reply = await commit({ op: 'users.export.ids', family: 'export', waitMs: 60_000 }, body);
  if (!reply) throw new Error('no reply in time');
  const { rest: _, ...head } = reply;
  return { ...head, body: JSON.parse(textOf(reply)) };
};

const answer = (isFresh: boolean) => ({
  status: 201,
  headers: { 'X-Roster-Fresh': String(isFresh) },
  body: { message: 'success', users: [{ external_id: 'ada' }] },
});

it('an export says that everything accepted before is in it, until a merge waits in its queue', async () => {
  await until(() => producer.redis.status === 'ready');
  expect(await exported()).toEqual(answer(true));
  // This queue has no worker here.
  await commit({ op: 'users.merge', family: 'identity', waitMs: 0 }, { merge_updates: [] });
  const began = performance.now();
  expect(await exported()).toEqual(answer(false));
  expect(performance.now() - began).toBeGreaterThan(900);
});

it('an export is paid for afterwards, by the bytes of profiles', async () => {
  const large = [{ kind: 'set', name: 'note', value: 'x'.repeat(2_000_000) }] as const;
  await test.add(aPerson({ _id: 'p-large', external_id: 'large' }, large));
  expect((await exported('large', 'custom_attributes')).status).toBe(201);
  const paid = async (): Promise<number> => {
    const keys = await producer.redis.keys('roster:limit:demo:work:*');
    return keys.length === 0 ? 0 : Number(await producer.redis.get(keys[0] as string));
  };
  await until(async () => (await paid()) > 0);
  // The first megabyte of a second is in the price of the requests; 8 KiB are a point.
  expect(await paid()).toBeGreaterThanOrEqual(Math.floor((2_000_000 - 1024 * 1024) / 8192));
});
