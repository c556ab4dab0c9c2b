/** Versions side by side: what a process does not know waits for one that does, and holds up nothing else. */
import type { AcceptedRequest } from '@roster/contract';
import { until, useRedis } from '@roster/testkit';
import type { Queue } from 'bullmq';
import { type Group, groupId, type Packed } from '../group.ts';
import { queueKey, queuesOf } from '../names.ts';
import { createReadEarlier } from '../order/earlier.ts';
import { createFence } from '../order/fence.ts';
import { openQueue } from '../produce/group-queue.ts';
import { readGauge } from '../share/pressure.ts';
import { type BatchWorker, createBatchWorker } from './worker.ts';

const { url, redis } = useRedis();
const queues = queuesOf('messaging', 1);
const [name] = queues as [(typeof queues)[0]];
const minute = 60_000_000;

let queue: Queue;
let workers: BatchWorker[] = [];
const applied: string[] = [];
const dead: string[] = [];

const work = (more: Partial<Parameters<typeof createBatchWorker>[0]> = {}): void => {
  workers.push(
    createBatchWorker({
      url,
      queues,
      limits: { requests: 100, entries: 1000, bytes: 1_000_000 },
      isKnown: (op, needs = 1) => op !== 'users.dance' && needs === 1,
      async apply(requests) {
        for (const { op } of requests) if (op === ('users.dance' as string)) throw new Error('unknown');
        applied.push(...requests.map(({ id }) => id));
        return requests.map(() => ({ status: 200, body: '{}' }));
      },
      classify: () => 'permanent',
      async dead({ id }: AcceptedRequest) {
        dead.push(id);
        return { status: 500, body: '{}' };
      },
      ...more,
    }),
  );
};

const now = (): number => Date.now() * 1000;
const idOf = (at: number): string => `r${at.toString(36)}-xx`;
const packed = (at: number, op = 'messages.send', rest?: Packed[4]): Packed =>
  [idOf(at), 'w', op as Packed[2], {}, ...(rest ? [rest] : [])] as Packed;

const add = async (at: number, group: object): Promise<string> => {
  const jobId = groupId(at, 'x', 'w');
  await queue.add('any', group, { jobId, removeOnComplete: true });
  return jobId;
};
const groupOf = (requests: Packed[]): Group => ({ v: 1, entries: requests.length, bytes: 100, requests });
const parked = (): Promise<string[]> => redis.zrange(queueKey(name, 'delayed'), '0', '-1');

beforeEach(async () => {
  await redis.flushdb();
  queue = openQueue(name, redis);
  applied.length = 0;
  dead.length = 0;
});

afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.close()));
  workers = [];
  await queue.close();
});

it.each([
  ['jobs of another version', { v: 2, entries: 'other' }],
  ['operations that it does not know', groupOf([packed(1, 'users.dance')])],
  ['members that need a later level', groupOf([packed(1, 'messages.send', { needs: 2 })])],
])('%s hold up no other work, however many there are', async (_, foreign) => {
  const start = now();
  for (let n = 0; n < 12; n += 1) {
    const requests = (foreign as Partial<Group>).requests?.map(([, ...rest]) => [idOf(start + n), ...rest]);
    await add(start + n, { ...foreign, ...(requests && { requests }) });
  }
  for (let n = 100; n < 120; n += 1) await add(start + n, groupOf([packed(start + n)]));
  work();
  await until(() => applied.length === 20);
  await until(async () => (await parked()).length === 12);
  expect([dead, await queue.getJobCounts('failed')]).toEqual([[], { failed: 0 }]);
});

it('of one job it takes what it knows', async () => {
  const start = now();
  await add(start, groupOf([packed(start), packed(start + 1, 'users.dance'), packed(start + 2)]));
  work();
  await until(() => applied.length === 2);
  await until(async () => (await parked()).length === 1);
  const [left = ''] = await parked();
  const job = await queue.getJob(left);
  expect(job?.data).toMatchObject({ requests: [[idOf(start + 1), 'w', 'users.dance', {}]] });
  expect([applied, dead]).toEqual([[idOf(start), idOf(start + 2)], []]);
});

it('is taken by a process that knows it', async () => {
  const start = now();
  const id = await add(start, { ...groupOf([packed(start)]), v: 2 });
  work();
  await until(async () => (await parked()).length === 1);
  await (await queue.getJob(id))?.updateData(groupOf([packed(start)]));
  await until(() => applied.length === 1);
  expect(await queue.getJobCounts('delayed', 'prioritized', 'waiting', 'failed')).toEqual({
    ...{ delayed: 0, prioritized: 0, waiting: 0, failed: 0 },
  });
});

it('is not waited for in silence: the connection would be dropped', async () => {
  const start = now();
  await queue.add(
    'any',
    { ...groupOf([packed(start)]), v: 2 },
    { jobId: groupId(start, 'x'), delay: 60_000 },
  );
  const monitor = await redis.duplicate().monitor();
  const timeouts: number[] = [];
  monitor.on('monitor', (_time: string, [command = '', key, timeout]: string[]) => {
    if (command.toLowerCase() === 'bzpopmin' && key === queueKey(name, 'marker'))
      timeouts.push(Number(timeout));
  });
  work();
  // The first one finds out when the job is due.
  await until(() => timeouts.length > 1);
  expect(Math.max(...timeouts)).toBeLessThanOrEqual(2);
  monitor.disconnect();
});

it('is a dead letter when no process has known it for a day', async () => {
  const yesterday = now() - 24 * 60 * minute - minute;
  await add(yesterday, groupOf([packed(yesterday, 'users.dance')]));
  work();
  await until(() => dead.length === 1);
  expect([dead, await parked()]).toEqual([[idOf(yesterday)], []]);
});

describe('others', () => {
  const park = async (at: number): Promise<void> => {
    await add(at, { ...groupOf([packed(at)]), v: 2 });
    work();
    await until(async () => (await parked()).length === 1);
  };

  it('wait for it while versions are exchanged, where they are of its workspace', async () => {
    await park(now());
    const fence = createFence(redis, queues);
    expect(await Promise.all(['w', 'v'].map((ws) => fence.isPast(now(), ws)))).toEqual([false, true]);
  });

  it('do not wait for ever, and it is told as long as it is there', async () => {
    await park(now() - 2 * minute);
    expect(await createFence(redis, queues).isPast(now(), 'w')).toBe(true);
    expect(await createFence(redis, queues, Number.POSITIVE_INFINITY).isPast(now(), 'w')).toBe(false);
  });

  it('are not refused because of it', async () => {
    await park(now() - 2 * minute);
    expect((await readGauge(redis, queues)).oldestMs).toBe(0);
  });

  it('do not know whom it names', async () => {
    const start = now();
    await add(start, { v: 2 });
    await add(start + 1, groupOf([packed(start + 1)]));
    const read = createReadEarlier(redis, queues);
    expect(await read([{ ws: 'w', at: start + 5 }], new Set())).toEqual({ requests: [], upTo: start });
  });
});
