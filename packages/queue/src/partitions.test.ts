/** The number of partitions is changed while producers, workers and fences run, and none of them is told. */
import type { AcceptedRequest } from '@roster/contract';
import { until, useRedis } from '@roster/testkit';
import { queueKey, queuesOf } from './names.ts';
import { createReadEarlier } from './order/earlier.ts';
import { createFence, createGate, createOldestBeside } from './order/fence.ts';
import {
  changePartitions,
  createPartitions,
  growingTrack,
  knownOf,
  mapped,
  type Partitions,
  readPartitions,
} from './partitions.ts';
import { createProducer, type Producer } from './produce/producer.ts';
import { aSubmission, workInto } from './testbed.ts';
import type { BatchWorker } from './work/worker.ts';

const { url, redis } = useRedis();
let opened: { close(): unknown }[] = [];

const opening = <One extends { close(): unknown }>(one: One): One => {
  opened.push(one);
  return one;
};

const produce = async (partitions: number): Promise<Producer> => {
  const producer = opening(
    createProducer({ url, secret: 'pepper', partitions, waitReplicas: 0, idempotencyHours: 1 }),
  );
  await until(() => producer.redis.status === 'ready');
  await until(() => producer.partitions.known().written > 1 || partitions === 1);
  return producer;
};

const commit = async (producer: Producer): Promise<string> => {
  const given = await producer.commit(aSubmission());
  return 'id' in given ? given.id : given.state;
};

const jobsIn = async (partitions: number): Promise<number[]> =>
  Promise.all(
    queuesOf('track', partitions)
      .slice(0, partitions)
      .map((queue) => redis.llen(queueKey(queue, 'wait'))),
  );

const work = (partitions: Partitions, applied: string[]): BatchWorker =>
  opening(workInto(applied, { url, queues: growingTrack(partitions) }));

/** One in each of them, once the producer has heard of them by itself. */
const fill = async (producer: Producer, partitions: number): Promise<string[]> => {
  await until(() => producer.partitions.known().written === partitions);
  const ids: string[] = [];
  for (let count = 0; count < partitions; count += 1) ids.push(await commit(producer));
  expect((await jobsIn(partitions)).every((jobs) => jobs > 0)).toBe(true);
  return ids;
};

const unique = (ids: readonly string[]): string[] => [...new Set(ids)].toSorted();

beforeEach(() => redis.flushdb());

afterEach(async () => {
  await Promise.all(opened.map((one) => one.close()));
  opened = [];
});

it('the first process makes the number, and others take it, whatever their variable says', async () => {
  const first = await produce(3);
  await until(async () => (await readPartitions(redis)) !== undefined);
  const second = await produce(5);
  expect([first, second].map(({ partitions }) => partitions.known().written)).toEqual([3, 3]);
  expect(await readPartitions(redis)).toEqual({ written: 3, read: 3 });
});

it('a process that only looks makes none', async () => {
  const partitions = createPartitions(redis, 4);
  await partitions.ask();
  expect([await readPartitions(redis), partitions.known().read]).toEqual([undefined, 4]);
});

it('more: producers and workers take them into use, and each request is applied once', async () => {
  const producer = await produce(1);
  const ids = [await commit(producer)];
  await changePartitions(redis, 3);
  ids.push(...(await fill(producer, 3)));
  const applied: string[] = [];
  const unaware = createPartitions(redis, 1);
  work(unaware, applied);
  await until(() => unique(applied).length === ids.length);
  expect([unique(applied), applied.length]).toEqual([unique(ids), ids.length]);
});

it('fewer: new requests go to the first ones, and what waits in the others is applied', async () => {
  const producer = await produce(3);
  const ids = await fill(producer, 3);
  const before = await jobsIn(3);
  await changePartitions(redis, 1);
  await producer.partitions.ask();
  for (let count = 0; count < 4; count += 1) ids.push(await commit(producer));
  expect((await jobsIn(3)).slice(1)).toEqual(before.slice(1));
  expect(await readPartitions(redis)).toEqual({ written: 1, read: 3 });
  const applied: string[] = [];
  work(createPartitions(redis, 1), applied);
  await until(() => applied.length >= ids.length);
  expect(unique(applied)).toEqual(unique(ids));
});

it('a Redis that came back empty is told what was', async () => {
  const producer = await produce(2);
  await changePartitions(redis, 4);
  await producer.partitions.ask();
  await redis.flushdb();
  await until(async () => (await readPartitions(redis)) !== undefined);
  expect(await readPartitions(redis)).toEqual({ written: 4, read: 4 });
});

describe('a look by a process that has not heard of a new partition', () => {
  const own = new Set<number>();
  const aRequest = (at: number) => ({ id: 'r', ws: 'w', op: 'users.track', at }) as AcceptedRequest;

  /** A request in the last partition only. */
  const hidden = async (): Promise<{ unaware: Partitions; after: number }> => {
    const producer = await produce(1);
    const unaware = createPartitions(redis, 1);
    await unaware.ask();
    await changePartitions(redis, 2);
    await producer.partitions.ask();
    await fill(producer, 2);
    await redis.del('{roster:track-0}:track-0:wait');
    return { unaware, after: (Date.now() + 60_000) * 1000 };
  };

  it.each<[string, (unaware: Partitions, after: number) => Promise<boolean>]>([
    ['a fence', (unaware, after) => createFence(redis, growingTrack(unaware)).isPast(after, 'w')],
    [
      'a gate',
      async (unaware, after) =>
        (await createGate(redis, growingTrack(unaware))([aRequest(after)])).size === 1,
    ],
    [
      'of the oldest beside',
      async (unaware, after) => (await createOldestBeside(redis, growingTrack(unaware))(own))('w') > after,
    ],
    [
      'of earlier requests',
      async (unaware, after) => {
        const read = createReadEarlier(redis, growingTrack(unaware));
        return (await read([{ ws: 'w', at: after }], new Set())).requests.length === 0;
      },
    ],
    [
      'of some of the queues',
      (unaware, after) =>
        createFence(
          redis,
          mapped(growingTrack(unaware), (names) => names.filter((queue) => !queue.heavy)),
        ).isPast(after),
    ],
  ])('%s', async (_, passes) => {
    const { unaware, after } = await hidden();
    expect(await passes(unaware, after)).toBe(false);
  });

  it('would see nothing if it did not ask', async () => {
    const { unaware, after } = await hidden();
    const fixed = knownOf(growingTrack(unaware));
    expect(await createFence(redis, fixed).isPast(after)).toBe(true);
  });
});
