import type { AcceptedRequest } from '@roster/contract';
import { testRedis } from '@roster/testkit';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { createDeadLetters } from './dead.ts';
import { createFence } from './fence.ts';
import { queueKey, queuesOf } from './names.ts';
import { createProducer, type Producer, type Submission } from './producer.ts';
import { stampOfRequestId } from './request-id.ts';
import { assertSafe, unsafeSettings } from './safety.ts';
import { takeStamps } from './stamp.ts';
import { type BatchWorker, createBatchWorker } from './worker.ts';

const secret = 'pepper';
const queues = queuesOf('track', 2);
const limits = { requests: 100, entries: 1000, bytes: 1_000_000 };

const submission = (n: number, more: Partial<Submission> = {}): Submission => ({
  ws: 'w',
  op: 'users.track',
  family: 'track',
  content: {},
  body: Buffer.from(JSON.stringify({ n })),
  entries: 1,
  waitMs: 0,
  ...more,
});

describe('from the producer to the worker, over a real Redis', () => {
  let server: Awaited<ReturnType<typeof testRedis>>;
  let redis: Redis;
  let producer: Producer;
  const workers: BatchWorker[] = [];
  const applied: AcceptedRequest[] = [];

  const work = (apply: (requests: AcceptedRequest[]) => Promise<void> = async () => {}, more = {}) => {
    const worker = createBatchWorker({
      url: server.url,
      queues,
      limits,
      async apply(requests) {
        await apply(requests);
        applied.push(...requests);
        return requests.map(({ id }) => ({ status: 200, body: `{"id":"${id}"}` }));
      },
      classify: (error) => (error as { kind?: 'passing' }).kind ?? 'permanent',
      dead: async (request) => ({ status: 200, body: `{"dead":"${request.id}"}` }),
      ...more,
    });
    workers.push(worker);
    return worker;
  };

  const until = async (condition: () => boolean | Promise<boolean>) => {
    for (let turn = 0; turn < 1000 && !(await condition()); turn++)
      await new Promise((r) => setTimeout(r, 10));
    expect(await condition()).toBe(true);
  };

  beforeEach(async () => {
    server = await testRedis();
    redis = new Redis(server.url);
    producer = createProducer({
      url: server.url,
      secret,
      partitions: 2,
      waitReplicas: 0,
      idempotencyHours: 1,
    });
    await until(() => producer.redis.status === 'ready');
    applied.length = 0;
  });

  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
    await producer.close();
    redis.disconnect();
    await server.close();
  });

  it('gives rising stamps, also when the clock stands still or goes back', async () => {
    await redis.set('roster:stamp', '9000000000000000');
    expect(await takeStamps(redis, 3)).toBe(9000000000000001);
    expect(await takeStamps(redis, 1)).toBe(9000000000000004);
  });

  it('hands every request over once, in groups, with stamps in the order of acceptance', async () => {
    const commits = await Promise.all(Array.from({ length: 200 }, (_, n) => producer.commit(submission(n))));
    const waiting = await Promise.all(queues.map(({ name, prefix }) => redis.llen(`${prefix}:${name}:wait`)));
    expect(waiting.reduce((a, b) => a + b)).toBeLessThan(20);
    work();
    await until(() => applied.length === 200);
    expect(new Set(applied.map(({ id }) => id)).size).toBe(200);
    const stamps = commits.map((commit) => (commit.state === 'queued' ? commit.at : 0));
    expect(stamps).toEqual([...stamps].sort((a, b) => a - b));
  });

  it('gives request ids that name their stamp, for their workspace only', async () => {
    const commit = await producer.commit(submission(1));
    if (commit.state !== 'queued') throw new Error(commit.state);
    expect(stampOfRequestId(secret, 'w', commit.id)).toBe(commit.at);
    expect(stampOfRequestId(secret, 'other', commit.id)).toBeUndefined();
    expect(stampOfRequestId(secret, 'w', 'rabcdefghij-00000000')).toBeUndefined();
  });

  it('brings a reply back to the one who waits, and nothing when it does not come in time', async () => {
    const late = await producer.commit(submission(1, { waitMs: 30 }));
    expect(late.state === 'queued' && (await late.reply)).toBeUndefined();
    work();
    const commit = await producer.commit(submission(2, { waitMs: 5000 }));
    if (commit.state !== 'queued') throw new Error(commit.state);
    expect(await commit.reply).toEqual({ status: 200, body: `{"id":"${commit.id}"}` });
  });

  describe('with an idempotency key', () => {
    const keyed = (key: string, fingerprint: string) => submission(1, { idempotency: { key, fingerprint } });

    it('keeps the same id and stamp for the same key, and replays the first answer', async () => {
      const first = await producer.commit(keyed('k', 'a'));
      const again = await producer.commit(keyed('k', 'a'));
      if (first.state !== 'queued' || again.state !== 'queued') throw new Error('not queued');
      expect([again.id, again.at]).toEqual([first.id, first.at]);
      first.remember({ status: 201, body: '{}' });
      await until(async () => (await producer.commit(keyed('k', 'a'))).state === 'replayed');
    });

    it('refuses another body under the same key', async () => {
      await producer.commit(keyed('k', 'a'));
      expect(await producer.commit(keyed('k', 'b'))).toMatchObject({ state: 'conflict' });
    });
  });

  it('holds the fence until everything accepted before is finished', async () => {
    const fence = createFence(redis, queues);
    await Promise.all(Array.from({ length: 50 }, (_, n) => producer.commit(submission(n))));
    const stamp = await takeStamps(redis, 1);
    await producer.commit(submission(51));
    expect(await fence.wait(stamp, 50)).toBe(false);
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    work(() => gate);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await fence.isPast(stamp)).toBe(false);
    open();
    expect(await fence.wait(stamp, 5000)).toBe(true);
    expect(applied.length).toBeGreaterThanOrEqual(50);
  });

  it('gives jobs back to the front when the worker stops in the middle of trouble', async () => {
    const commit = await producer.commit(submission(1));
    const worker = work(async () => {
      throw Object.assign(new Error('away'), { kind: 'passing' });
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    workers.pop();
    await worker.close();
    expect(applied).toEqual([]);
    work();
    await until(() => applied.length === 1);
    expect(commit.state === 'queued' && commit.id).toBe(applied[0]?.id);
  });

  it('convicts the request that took its worker down twice while alone, and none of its neighbours', async () => {
    const commits = await Promise.all([1, 13, 2].map((n) => producer.commit(submission(n))));
    const ids = commits.map((commit) => (commit.state === 'queued' ? commit.id : ''));
    const [busy] = (
      await Promise.all(
        queues.map(async (queue) => ({ queue, jobs: await redis.lrange(queueKey(queue, 'wait'), 0, -1) })),
      )
    ).filter(({ jobs }) => jobs.length > 0);
    if (!busy) throw new Error('nothing is queued');
    await redis.hset(queueKey(busy.queue, busy.jobs[0] ?? ''), 'stc', 2);
    await redis.hset(queueKey(busy.queue, 'suspects'), ids[1] ?? '', 2, ids[2] ?? '', 1);
    const dead: string[] = [];
    work(undefined, {
      dead: async (request: AcceptedRequest, { code }: { code: string }) => {
        dead.push(`${code} ${request.id}`);
        return { status: 200, body: '{}' };
      },
    });
    await until(() => applied.length === 2 && dead.length === 1);
    expect(dead).toEqual([`crash ${ids[1]}`]);
    expect(applied.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
    await until(async () => (await redis.exists(queueKey(busy.queue, 'suspects'))) === 0);
  });

  it('leaves a group of a version that it does not know in the queue', async () => {
    const [first] = queues;
    if (!first) throw new Error('no queue');
    const queue = new Queue(first.name, { connection: redis, prefix: first.prefix });
    await queue.add('users.track', { v: 2, requests: [] }, { jobId: 'g1-x' });
    work();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await queue.getFailedCount()).toBe(0);
    expect((await queue.getWaitingCount()) + (await queue.getActiveCount())).toBe(1);
    await queue.close();
  });

  it('keeps dead letters until they are retried or dropped', async () => {
    const letters = createDeadLetters(redis, 2);
    const request = { id: 'r5-x', ws: 'w', op: 'users.track', at: 5, body: { n: 1 } } as AcceptedRequest;
    const letter = {
      id: 'r5-x',
      queue: 'track' as const,
      code: '14',
      reason: 'bad type',
      at: '2026-01-01',
      request,
    };
    await letters.add(letter);
    await letters.add(letter);
    expect(await letters.list()).toEqual([letter]);
    work();
    expect(await letters.retry('r5-x')).toBe(true);
    await until(() => applied.length === 1);
    expect(applied[0]).toEqual(request);
    expect(await letters.count()).toBe(0);
    expect(await letters.drop('r5-x')).toBe(false);
    await letters.close();
  });

  it('refuses a Redis that may lose what it was given', async () => {
    expect(await unsafeSettings(redis)).toEqual([]);
    await redis.config('SET', 'appendfsync', 'everysec');
    await expect(assertSafe(redis, false)).rejects.toThrow('appendfsync');
    expect(await assertSafe(redis, true)).toHaveLength(1);
    await redis.config('SET', 'appendfsync', 'always');
  });
});
