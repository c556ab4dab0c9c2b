import type { AcceptedRequest } from '@roster/contract';
import { testRedis, until } from '@roster/testkit';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { type Group, groupId, isJobAboutAliases } from './group.ts';
import { createComputing } from './guard/computing.ts';
import { createDeadLetters } from './guard/dead.ts';
import { queueKey, queuesOf } from './names.ts';
import { createFence, createGate, createOldestBeside, oldestOf, readUnfinished } from './order/fence.ts';
import { mostTries, postponed } from './order/postponed.ts';
import { createProducer, type Producer, type Submission } from './produce/producer.ts';
import { takeStamps } from './produce/stamp.ts';
import { stampOfRequestId } from './request-id.ts';
import { assertSafe, unsafeSettings } from './safety.ts';
import { readGauge } from './share/pressure.ts';
import { type BatchWorker, createBatchWorker } from './work/worker.ts';

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

  /** The one queue with something in it, with a first job that looks as if its worker had died so often. */
  const stalled = async (times: number) => {
    const all = await Promise.all(
      queues.map(async (queue) => ({ queue, jobs: await redis.lrange(queueKey(queue, 'wait'), 0, -1) })),
    );
    const busy = all.find(({ jobs }) => jobs.length > 0);
    if (!busy) throw new Error('nothing is queued');
    await redis.hset(queueKey(busy.queue, busy.jobs[0] ?? ''), 'stc', times);
    return busy;
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

  it('brings a reply back to the caller that waits, and nothing when it does not come in time', async () => {
    const late = await producer.commit(submission(1, { waitMs: 30 }));
    expect(late.state === 'queued' && (await late.reply)).toBeUndefined();
    work();
    const commit = await producer.commit(submission(2, { waitMs: 60_000 }));
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
      // Who waits is told the effect by the worker.
      const waiting = await producer.commit({ ...keyed('k', 'a'), waitMs: 60_000 });
      if (waiting.state !== 'queued') throw new Error(waiting.state);
      expect([waiting.id, waiting.first]).toEqual([first.id, { status: 201, body: '{}' }]);
      work();
      expect(await waiting.reply).toEqual({ status: 200, body: `{"id":"${first.id}"}` });
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
    expect(await fence.wait(stamp, 60_000)).toBe(true);
    expect(applied.length).toBeGreaterThanOrEqual(50);
  });

  describe('with a workspace that sends more than its share', () => {
    const flood = (ws: string, requests: number) =>
      Promise.all(
        Array.from({ length: requests }, (_, n) => producer.commit(submission(n, { ws, entries: 100 }))),
      );
    const lengths = async (heavy: boolean): Promise<number> => {
      const chosen = queues.filter((queue) => (queue.heavy ?? false) === heavy);
      const waiting = await Promise.all(chosen.map((queue) => redis.llen(queueKey(queue, 'wait'))));
      return waiting.reduce((a, b) => a + b);
    };

    it('lets a light one overtake what waits, and applies everything once', async () => {
      await flood('loud', 20);
      await flood('loud', 100);
      await producer.commit(submission(1, { ws: 'quiet' }));
      expect(await lengths(true)).toBeGreaterThan(5);
      work(() => new Promise((resolve) => setTimeout(resolve, 20)));
      await until(() => applied.length === 121);
      expect(new Set(applied.map(({ id }) => id)).size).toBe(121);
      const place = applied.findIndex(({ ws }) => ws === 'quiet');
      expect(place).toBeLessThan(60);
    });

    it('holds the fence for what waits in its lane', async () => {
      const fence = createFence(redis, queues);
      await flood('loud', 20);
      await flood('loud', 20);
      expect(await lengths(true)).toBeGreaterThan(0);
      const stamp = await takeStamps(redis, 1);
      for (const queue of queues.filter((queue) => !queue.heavy)) await redis.del(queueKey(queue, 'wait'));
      expect(await fence.isPast(stamp)).toBe(false);
      work();
      expect(await fence.wait(stamp, 60_000)).toBe(true);
    });

    it('holds no fence that asks for another workspace, however long its line is', async () => {
      const fence = createFence(redis, queues);
      const [line] = queues.filter((queue) => queue.heavy);
      if (!line) throw new Error('no heavy lane');
      const stamp = await takeStamps(redis, 300);
      const ids = Array.from({ length: 300 }, (_, n) => groupId(stamp - 299 + n, `${n}`, 'loud'));
      for (const id of ids) await redis.lpush(queueKey(line, 'wait'), id);
      const later = stamp + 1;
      expect(await fence.isPast(later)).toBe(false);
      expect(await fence.isPast(later, 'loud')).toBe(false);
      expect(await fence.isPast(later, 'quiet')).toBe(true);
      expect(await fence.wait(later, 50, 'quiet')).toBe(true);
      await producer.commit(submission(1, { ws: 'quiet' }));
      expect(await fence.isPast(await takeStamps(redis, 1), 'quiet')).toBe(false);
    });

    it('is heavy in its family only', async () => {
      const waiting = async (family: 'identity' | 'subscription'): Promise<number[]> =>
        Promise.all(queuesOf(family, 1).map((queue) => redis.llen(queueKey(queue, 'wait'))));
      const send = (family: 'identity' | 'subscription', entries: number) =>
        producer.commit(submission(1, { family, ws: 'loud', entries }));
      for (let n = 0; n < 4; n++) await send('identity', 50);
      await send('subscription', 1);
      expect([await waiting('identity'), await waiting('subscription')]).toEqual([
        [expect.any(Number), expect.any(Number)],
        [1, 0],
      ]);
      expect((await waiting('identity'))[1]).toBeGreaterThan(0);
    });

    it('shows its age in the gauges of the queues', async () => {
      await flood('loud', 20);
      await flood('loud', 20);
      for (const queue of queues.filter((queue) => !queue.heavy)) await redis.del(queueKey(queue, 'wait'));
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect((await readGauge(redis, queues)).oldestMs).toBeGreaterThan(10);
    });

    it('tells how many groups went which way, and knows of no second way when told so', async () => {
      const groups: boolean[] = [];
      await producer.close();
      const options = { url: server.url, secret, partitions: 2, waitReplicas: 0, idempotencyHours: 1 };
      producer = createProducer({ ...options, onGroup: (heavy) => groups.push(heavy) });
      await until(() => producer.redis.status === 'ready');
      await flood('loud', 20);
      await flood('loud', 20);
      expect(groups).toContain(true);
      groups.length = 0;
      await producer.close();
      producer = createProducer({ ...options, onGroup: (heavy) => groups.push(heavy), oneLane: true });
      await until(() => producer.redis.status === 'ready');
      await flood('loud', 40);
      expect(groups).not.toContain(true);
    });
  });

  it('does not let what is contested hold up the others of its group, and applies it one batch at a time', async () => {
    let atOnce = 0;
    let most = 0;
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const isContested = ({ body }: AcceptedRequest) => (body as { n: number }).n < 5;
    await Promise.all(Array.from({ length: 20 }, (_, n) => producer.commit(submission(n % 10))));
    const apply = async (requests: AcceptedRequest[]) => {
      if (!requests.some(isContested)) return;
      expect(requests.every(isContested)).toBe(true);
      atOnce += 1;
      most = Math.max(most, atOnce);
      await gate;
      atOnce -= 1;
    };
    work(apply, { isContested, turnsAtOnce: 2 });
    await until(() => applied.length === 10);
    expect(applied.some(isContested)).toBe(false);
    open();
    await until(() => applied.length === 20);
    expect([new Set(applied.map(({ id }) => id)).size, most]).toEqual([20, 1]);
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

  it('convicts the request that took its worker down again and again while alone, and none of its neighbours', async () => {
    const commits = await Promise.all([1, 13, 2].map((n) => producer.commit(submission(n))));
    const ids = commits.map((commit) => (commit.state === 'queued' ? commit.id : ''));
    const busy = await stalled(2);
    await redis.hset(queueKey(busy.queue, 'suspects'), ids[1] ?? '', 30, ids[2] ?? '', 10);
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

  it('gives the reason that was found for a request after its process ended', async () => {
    const commits = await Promise.all([1, 13].map((n) => producer.commit(submission(n))));
    const ids = commits.map((commit) => (commit.state === 'queued' ? commit.id : ''));
    const busy = await stalled(1);
    await redis.hset(queueKey(busy.queue, 'suspects'), ids[1] ?? '', 'blocked: for 3 s');
    const causes: unknown[] = [];
    work(undefined, {
      dead: async (request: AcceptedRequest, cause: unknown) => {
        causes.push([request.id, cause]);
        return { status: 200, body: '{}' };
      },
    });
    await until(() => applied.length === 1 && causes.length === 1);
    expect(causes).toEqual([[ids[1], { code: 'blocked', reason: 'for 3 s' }]]);
    await until(async () => (await redis.exists(queueKey(busy.queue, 'suspects'))) === 0);
  });

  it('has evidence while a request is at work, most of it in its first moments, and none afterwards', async () => {
    const commit = await producer.commit(submission(1));
    const id = commit.state === 'queued' ? commit.id : '';
    const busy = await stalled(1);
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const evidence = () => redis.hget(queueKey(busy.queue, 'suspects'), id);
    const seen: unknown[] = [];
    work(async () => {
      seen.push(await evidence());
      await gate;
    });
    // A request comes in with one point, before its first moments are counted.
    await until(async () => seen.length === 1 && (await evidence()) === '1');
    expect(seen).toEqual(['10']);
    open();
    await until(async () => applied.length === 1 && (await evidence()) === null);
  });

  it('has more evidence while its worker computes, where the worker says when', async () => {
    const commit = await producer.commit(submission(1));
    const id = commit.state === 'queued' ? commit.id : '';
    const busy = await stalled(1);
    const computing = createComputing();
    const seen: unknown[] = [];
    const look = async () => void seen.push(await redis.hget(queueKey(busy.queue, 'suspects'), id));
    const compute = async (requests: AcceptedRequest[]) => {
      await look();
      await computing.on(requests, look);
      await look();
      await computing.on([{ id: 'another' }], look);
      await expect(computing.on(requests, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
      await look();
    };
    work(compute, { computing });
    await until(() => applied.length === 1);
    expect(seen).toEqual(['1', '10', '1', '1', '1']);
    await until(async () => (await redis.exists(queueKey(busy.queue, 'suspects'))) === 0);
  });

  it('tries few at a time after one end, and suspects alone after two', async () => {
    const commits = await Promise.all(Array.from({ length: 40 }, (_, n) => producer.commit(submission(n))));
    const ids = commits.map((commit) => (commit.state === 'queued' ? commit.id : ''));
    const busy = await stalled(1);
    await redis.hset(queueKey(busy.queue, 'suspects'), ids[39] ?? '', 10);
    const sizes: number[] = [];
    work(async (requests) => void sizes.push(requests.length));
    await until(() => applied.length === 40);
    expect(sizes).toEqual([32, 7, 1]);
  });

  it('suspects no request because it had to stop while trying again', async () => {
    await producer.commit(submission(1));
    const busy = await stalled(2);
    let tries = 0;
    const away = async () => {
      tries += 1;
      throw Object.assign(new Error('MongoDB is away'), { kind: 'passing' });
    };
    work(away);
    await until(() => tries > 0);
    expect(await redis.exists(queueKey(busy.queue, 'suspects'))).toBe(1);
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
    expect(await redis.exists(queueKey(busy.queue, 'suspects'))).toBe(0);
    expect(await redis.lrange(queueKey(busy.queue, 'wait'), 0, -1)).toEqual(busy.jobs);
  });

  it('leaves a group of a version that it does not know in the queue', async () => {
    const [first] = queues;
    if (!first) throw new Error('no queue');
    const queue = new Queue(first.name, { connection: redis, prefix: first.prefix });
    await queue.add('users.track', { v: 2, requests: [] }, { jobId: 'g1-x' });
    work();
    // It is taken and put back, again and again.
    await until(async () => Number((await queue.getJob('g1-x'))?.attemptsStarted) > 1);
    const { failed, ...kept } = await queue.getJobCounts('failed', 'waiting', 'active', 'delayed');
    expect([failed, Object.values(kept).reduce((sum, count) => sum + count, 0)]).toEqual([0, 1]);
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
    await letters.add({ ...letter, id: 'r6-x' });
    expect(await letters.ids()).toEqual(['r5-x', 'r6-x']);
    expect(await letters.drop('r6-x')).toBe(true);
    work();
    expect(await letters.retry('r5-x')).toBe(true);
    await until(() => applied.length === 1);
    expect(applied[0]).toEqual(request);
    expect(await letters.count()).toBe(0);
    expect(await letters.drop('r5-x')).toBe(false);
    await letters.close();
  });

  it('keeps the letter of a request that fails again as soon as it is retried', async () => {
    const letters = createDeadLetters(redis, 2);
    const request = { id: 'r7-x', ws: 'w', op: 'users.track', at: 7, body: {} } as AcceptedRequest;
    const letter = { id: 'r7-x', queue: 'track' as const, code: 'bad', reason: 'first', at: '', request };
    await letters.add(letter);
    work(
      async () => {
        throw new Error('second');
      },
      {
        async dead(failed: AcceptedRequest) {
          await letters.add({ ...letter, reason: 'second', request: failed });
          return { status: 200, body: '' };
        },
      },
    );
    expect(await letters.retry('r7-x')).toBe(true);
    await until(async () => (await letters.list()).some(({ reason }) => reason === 'second'));
    expect(await letters.list()).toHaveLength(1);
    await letters.drop('r7-x');
    await letters.close();
  });

  it('refuses a Redis that may lose what it was given', async () => {
    expect(await unsafeSettings(redis)).toEqual([]);
    await redis.config('SET', 'appendfsync', 'everysec');
    await expect(assertSafe(redis, false)).rejects.toThrow('appendfsync');
    expect(await assertSafe(redis, true)).toHaveLength(1);
    await redis.config('SET', 'appendfsync', 'always');
  });

  it('applies the part of a batch that has passed the fence, and the rest when that has passed too', async () => {
    const commits = await Promise.all([1, 2, 3].map((n) => producer.commit(submission(n))));
    const [first, second] = commits.map((commit) => (commit.state === 'queued' ? commit.at : 0));
    let passedTo = first ?? 0;
    work(undefined, {
      fence: async (requests: AcceptedRequest[]) =>
        new Set(requests.filter(({ at }) => at <= passedTo).map(({ id }) => id)),
    });
    await until(() => applied.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(applied.map(({ at }) => at)).toEqual([first]);
    const left = await Promise.all(queues.map((queue) => readUnfinished(redis, queue)));
    expect(oldestOf(left, new Set())).toBe(second);
    passedTo = Number.POSITIVE_INFINITY;
    await until(() => applied.length === 3);
    expect(new Set(applied.map(({ id }) => id)).size).toBe(3);
  });

  it('lets a request that has passed the fence wait for no turn of those that have not', async () => {
    let passes = (n: unknown): boolean => n === 3;
    const waits: number[] = [];
    work(undefined, {
      fence: async (requests: AcceptedRequest[]) =>
        new Set(requests.filter(({ body }) => passes((body as { n: number }).n)).map(({ id }) => id)),
      on: { fenced: (ms: number) => waits.push(ms) },
    });
    for (const n of [1, 2]) await producer.commit(submission(n));
    await producer.commit(submission(3));
    await until(() => applied.length === 1);
    expect(applied[0]?.body).toEqual({ n: 3 });
    expect(waits).toHaveLength(1);
    passes = () => true;
    await until(() => applied.length === 3);
  });

  it.each([
    ['users.alias.new', true],
    ['users.alias.update', true],
    ['users.identify', false],
  ] as const)('tells by its id that a job with %s is about aliases alone: %s', async (op, isPassed) => {
    await producer.commit(submission(1, { op, family: 'identity' }));
    const identity = queuesOf('identity', 1);
    const asking = [
      { id: 'r', ws: 'w', op: 'subscription.status.set', at: await takeStamps(redis, 1) },
    ] as const;
    const gate = createGate(redis, identity, { isPassable: isJobAboutAliases });
    expect((await gate(asking)).size).toBe(isPassed ? 1 : 0);
    expect((await createGate(redis, identity)(asking)).size).toBe(0);
  });

  it('postpones a request until its turn comes, without keeping its neighbours', async () => {
    const turns: string[][] = [];
    let waits = 3;
    work(undefined, {
      async apply(requests: AcceptedRequest[]) {
        turns.push(requests.map(({ body }) => String((body as { n: number }).n)));
        const isEarly = ({ body }: AcceptedRequest) => (body as { n: number }).n === 2 && waits-- > 0;
        return requests.map((request) => (isEarly(request) ? postponed : { status: 200, body: '{}' }));
      },
    });
    await Promise.all([1, 2, 3].map((n) => producer.commit(submission(n))));
    const second = await producer.commit(submission(4));
    await until(() => turns.flat().length === 7);
    expect(turns.flat().filter((n) => n === '2')).toHaveLength(4);
    expect(['1', '3', '4'].map((n) => turns.flat().filter((one) => one === n).length)).toEqual([1, 1, 1]);
    await until(async () => createFence(redis, queues).isPast((second as { at: number }).at));
  });

  it('shows the fence what waits for its turn', async () => {
    const fence = createFence(redis, queues);
    const { at } = (await producer.commit(submission(1))) as { at: number };
    let turns = 0;
    work(undefined, {
      async apply(requests: AcceptedRequest[]) {
        expect(await fence.isPast(at)).toBe(false);
        turns += 1;
        return requests.map(() => (turns < 6 ? postponed : { status: 200, body: '{}' }));
      },
    });
    await until(() => turns === 6);
    await until(() => fence.isPast(at));
    const oldest = await createOldestBeside(redis, queues)(new Set());
    expect(oldest('w')).toBe(Number.POSITIVE_INFINITY);
  });

  it('lets nobody wait for what another workspace waits for, also out of one group', async () => {
    const fence = createFence(redis, queues);
    const requests: Group['requests'] = [
      ['r1-x', 'waits', 'users.track', {}],
      ['r2-x', 'goes', 'users.track', {}],
    ];
    const queue = new Queue('track-0', { connection: redis, prefix: '{roster:track-0}' });
    await queue.add('users.track', { v: 1, entries: 2, bytes: 2, requests }, { jobId: groupId(1, 'x') });
    expect(await fence.isPast(3, 'goes')).toBe(false);
    let isOver = false;
    work(undefined, {
      apply: async (all: AcceptedRequest[]) =>
        all.map(({ ws }) => (ws === 'waits' && !isOver ? postponed : { status: 200, body: '{}' })),
    });
    await until(() => fence.isPast(3, 'goes'));
    expect(await fence.isPast(3, 'waits')).toBe(false);
    isOver = true;
    await until(() => fence.isPast(3, 'waits'));
    await queue.close();
  });

  it('takes up an older request first, although those that wait for it fill the hands of the worker', async () => {
    const queue = new Queue('track-0', { connection: redis, prefix: '{roster:track-0}' });
    const add = async (at: number) => {
      const group: Group = {
        v: 1,
        entries: 1,
        bytes: 1,
        requests: [[`r${at}-x`, `w${at}`, 'users.track', {}]],
      };
      await queue.add('users.track', group, { jobId: groupId(at, 'x') });
    };
    const [old, ...younger] = [10, 20, 30];
    for (const at of younger) await add(at);
    const tried = () => applied.filter(({ id }) => id !== `r${old}-x`).length;
    const isThere = () => applied.some(({ id }) => id === `r${old}-x`);
    work(undefined, {
      concurrency: 2,
      async apply(requests: AcceptedRequest[]) {
        applied.push(...requests);
        return requests.map(() => (isThere() ? { status: 200, body: '{}' } : postponed));
      },
    });
    await until(() => tried() >= 4);
    // A job of a worker that vanished comes back like this, and what is postponed meanwhile goes before it.
    await add(old);
    const triedThen = tried();
    await until(isThere);
    expect(tried() - triedThen).toBeLessThan(10);
    await until(async () => (await queue.getJobCountByTypes('wait', 'active')) === 0);
    await queue.close();
  });

  it('says of a request that it has waited enough', async () => {
    const [id, at] = ['r1-x', 1];
    const group: Group = { v: 1, entries: 1, bytes: 1, requests: [[id, 'w', 'users.track', {}]] };
    const queue = new Queue('track-0', { connection: redis, prefix: '{roster:track-0}' });
    await queue.add('users.track', { ...group, tries: mostTries }, { jobId: groupId(at, 'x') });
    const enough: boolean[] = [];
    work(undefined, {
      async apply(requests: AcceptedRequest[], waitedEnough: ReadonlySet<string>) {
        enough.push(...requests.map((request) => waitedEnough.has(request.id)));
        return requests.map(() => ({ status: 200, body: '{}' }));
      },
    });
    await until(() => enough.length === 1);
    expect(enough).toEqual([true]);
    await queue.close();
  });

  it('does not say it of one that came later and waits together with one that has', async () => {
    const queue = new Queue('track-0', { connection: redis, prefix: '{roster:track-0}' });
    const add = async (id: string, at: number, tries: number) => {
      const group: Group = { v: 1, entries: 1, bytes: 1, requests: [[id, 'w', 'users.track', {}]], tries };
      await queue.add('users.track', group, { jobId: groupId(at, 'x') });
    };
    await add('slow', 1, 0);
    await add('old', 2, mostTries - 2);
    await add('young', 3, 3);
    const turns: string[][] = [];
    const enough: string[] = [];
    const handedOver = new Set<string>();
    work(undefined, {
      isContested: ({ id }: AcceptedRequest) => {
        handedOver.add(id);
        return false;
      },
      async apply(requests: AcceptedRequest[], waitedEnough: ReadonlySet<string>) {
        const ids = requests.map(({ id }) => id);
        turns.push(ids);
        enough.push(...waitedEnough);
        // The others gather behind it.
        if (ids.includes('slow')) await until(() => handedOver.size === 3);
        return ids.map((id) =>
          id === 'slow' || enough.length > 0 ? { status: 200, body: '{}' } : postponed,
        );
      },
    });
    await until(() => enough.length > 0);
    expect(turns.filter((ids) => ids.length === 2)).not.toEqual([]);
    expect(enough).toEqual(['old']);
    await queue.close();
  });
});
