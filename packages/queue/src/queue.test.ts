import type { AcceptedRequest } from '@roster/contract';
import { createSignal, until, useRedis } from '@roster/testkit';
import { Queue } from 'bullmq';
import { type Group, groupId, isJobAboutAliases } from './group.ts';
import { createComputing } from './guard/computing.ts';
import { createDeadLetters } from './guard/dead.ts';
import { causes } from './guard/evidence.ts';
import { queueKey, queuesOf } from './names.ts';
import { createFence, createGate, createOldestBeside, oldestOf, readUnfinished } from './order/fence.ts';
import { mostTries, postponed } from './order/postponed.ts';
import { createProducer, type Producer, type ProducerOptions, type Submission } from './produce/producer.ts';
import { takeStamps } from './produce/stamp.ts';
import { stampOfRequestId } from './request-id.ts';
import { assertSafe, unsafeSettings } from './safety.ts';
import { readGauge } from './share/pressure.ts';
import { aSubmission } from './testbed.ts';
import { type BatchWorker, createBatchWorker } from './work/worker.ts';

const secret = 'pepper';
const queues = queuesOf('track', 2);
const limits = { requests: 100, entries: 1000, bytes: 1_000_000 };
const ok = { status: 200, body: '{}' };

const submission = (n: number, more: Partial<Submission> = {}): Submission =>
  aSubmission({ body: Buffer.from(JSON.stringify({ n })), ...more });

const numberOf = ({ body }: AcceptedRequest): number => (body as { n: number }).n;

describe('from the producer to the worker, over a real Redis', () => {
  const { url, redis } = useRedis();
  let producer: Producer;
  const workers: BatchWorker[] = [];
  const applied: AcceptedRequest[] = [];

  const open = async (more: Partial<ProducerOptions> = {}) => {
    producer = createProducer({ url, secret, partitions: 2, waitReplicas: 0, idempotencyHours: 1, ...more });
    await until(() => producer.redis.status === 'ready');
  };

  const commit = async (n: number, more: Partial<Submission> = {}) => {
    const given = await producer.commit(submission(n, more));
    if (given.state !== 'queued') throw new Error(given.state);
    return given;
  };
  const commitAll = (numbers: readonly number[]) => Promise.all(numbers.map((n) => commit(n)));
  const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

  /** As the producer would, of an earlier or a later moment. */
  const addGroup = async (at: number, requests: Group['requests'], tries = 0) => {
    const queue = new Queue('track-0', { connection: redis, prefix: '{roster:track-0}' });
    const group: Group = { v: 1, entries: requests.length, bytes: requests.length, requests, tries };
    await queue.add('users.track', group, { jobId: groupId(at, 'x') });
    await queue.close();
  };

  const work = (apply: (requests: AcceptedRequest[]) => Promise<void> = async () => {}, more = {}) => {
    const worker = createBatchWorker({
      url,
      queues,
      limits,
      isKnown: () => true,
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

  /** The one queue with something in it, with a first job that looks as if its worker had died so often, and the key of its suspects. */
  const stalled = async (times: number) => {
    const all = await Promise.all(
      queues.map(async (queue) => ({ queue, jobs: await redis.lrange(queueKey(queue, 'wait'), 0, -1) })),
    );
    const busy = all.find(({ jobs }) => jobs.length > 0);
    if (!busy) throw new Error('nothing is queued');
    await redis.hset(queueKey(busy.queue, busy.jobs[0] ?? ''), 'stc', times);
    return { ...busy, suspects: queueKey(busy.queue, 'suspects') };
  };

  beforeEach(async () => {
    await redis.flushdb();
    await open();
    applied.length = 0;
  });

  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
    await producer.close();
  });

  it('gives rising stamps, also when the clock stands still or goes back', async () => {
    await redis.set('roster:stamp', '9000000000000000');
    expect(await takeStamps(redis, 3)).toBe(9000000000000001);
    expect(await takeStamps(redis, 1)).toBe(9000000000000004);
  });

  it('hands every request over once, in groups, with stamps in the order of acceptance', async () => {
    const commits = await commitAll(upTo(200));
    const waiting = await Promise.all(queues.map(({ name, prefix }) => redis.llen(`${prefix}:${name}:wait`)));
    expect(waiting.reduce((a, b) => a + b)).toBeLessThan(20);
    work();
    await until(() => applied.length === 200);
    expect(new Set(applied.map(({ id }) => id)).size).toBe(200);
    const stamps = commits.map(({ at }) => at);
    expect(stamps).toEqual([...stamps].sort((a, b) => a - b));
  });

  it('gives request ids that name their stamp, for their workspace only', async () => {
    const { id, at } = await commit(1);
    expect(stampOfRequestId(secret, 'w', id)).toBe(at);
    expect(stampOfRequestId(secret, 'other', id)).toBeUndefined();
    expect(stampOfRequestId(secret, 'w', 'rabcdefghij-00000000')).toBeUndefined();
  });

  it('brings a reply back to the caller that waits, and nothing when it does not come in time', async () => {
    const late = await commit(1, { waitMs: 30 });
    expect(await late.reply).toBeUndefined();
    work();
    const { id, reply } = await commit(2, { waitMs: 60_000 });
    expect(await reply).toEqual({ status: 200, body: `{"id":"${id}"}` });
  });

  describe('with an idempotency key', () => {
    const keyed = (fingerprint: string) => ({ idempotency: { key: 'k', fingerprint } });

    it('keeps the same id and stamp for the same key, and replays the first answer', async () => {
      const first = await commit(1, keyed('a'));
      const again = await commit(1, keyed('a'));
      expect([again.id, again.at]).toEqual([first.id, first.at]);
      first.remember({ status: 201, body: '{}' });
      await until(async () => (await producer.commit(submission(1, keyed('a')))).state === 'replayed');
      // Who waits is told the effect by the worker.
      const waiting = await commit(1, { ...keyed('a'), waitMs: 60_000 });
      expect([waiting.id, waiting.first]).toEqual([first.id, { status: 201, body: '{}' }]);
      work();
      expect(await waiting.reply).toEqual({ status: 200, body: `{"id":"${first.id}"}` });
    });

    it('refuses another body under the same key', async () => {
      await commit(1, keyed('a'));
      expect(await producer.commit(submission(1, keyed('b')))).toMatchObject({ state: 'conflict' });
    });
  });

  it('holds the fence until everything accepted before is finished', async () => {
    const fence = createFence(redis, queues);
    await commitAll(upTo(50));
    const stamp = await takeStamps(redis, 1);
    await commit(51);
    expect(await fence.wait(stamp, 50)).toBe(false);
    const mayEnd = createSignal();
    work(() => mayEnd.given);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await fence.isPast(stamp)).toBe(false);
    mayEnd.give();
    expect(await fence.wait(stamp, 60_000)).toBe(true);
    expect(applied.length).toBeGreaterThanOrEqual(50);
  });

  describe('with a workspace that sends more than its share', () => {
    const flood = (ws: string, requests: number) =>
      Promise.all(upTo(requests).map((n) => commit(n, { ws, entries: 100 })));
    const lengths = async (heavy: boolean): Promise<number> => {
      const chosen = queues.filter((queue) => (queue.heavy ?? false) === heavy);
      const waiting = await Promise.all(chosen.map((queue) => redis.llen(queueKey(queue, 'wait'))));
      return waiting.reduce((a, b) => a + b);
    };

    it('lets a light one overtake what waits, and applies everything once', async () => {
      await flood('loud', 20);
      await flood('loud', 100);
      await commit(1, { ws: 'quiet' });
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
      for (const n of upTo(300))
        await redis.lpush(queueKey(line, 'wait'), groupId(stamp - 299 + n, `${n}`, 'loud'));
      const later = stamp + 1;
      expect(await fence.isPast(later)).toBe(false);
      expect(await fence.isPast(later, 'loud')).toBe(false);
      expect(await fence.isPast(later, 'quiet')).toBe(true);
      expect(await fence.wait(later, 50, 'quiet')).toBe(true);
      await commit(1, { ws: 'quiet' });
      expect(await fence.isPast(await takeStamps(redis, 1), 'quiet')).toBe(false);
    });

    it('is heavy in its family only', async () => {
      const waiting = async (family: 'identity' | 'subscription'): Promise<number[]> =>
        Promise.all(queuesOf(family, 1).map((queue) => redis.llen(queueKey(queue, 'wait'))));
      for (const n of upTo(4)) await commit(n, { family: 'identity', ws: 'loud', entries: 50 });
      await commit(1, { family: 'subscription', ws: 'loud' });
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
      await open({ onGroup: (heavy) => groups.push(heavy) });
      await flood('loud', 20);
      await flood('loud', 20);
      expect(groups).toContain(true);
      groups.length = 0;
      await producer.close();
      await open({ onGroup: (heavy) => groups.push(heavy), oneLane: true });
      await flood('loud', 40);
      expect(groups).not.toContain(true);
    });
  });

  it('does not let what is contested hold up the others of its group, and applies it one batch at a time', async () => {
    let atOnce = 0;
    let most = 0;
    const mayEnd = createSignal();
    const isContested = (request: AcceptedRequest) => numberOf(request) < 5;
    await commitAll(upTo(20).map((n) => n % 10));
    const apply = async (requests: AcceptedRequest[]) => {
      if (!requests.some(isContested)) return;
      expect(requests.every(isContested)).toBe(true);
      atOnce += 1;
      most = Math.max(most, atOnce);
      await mayEnd.given;
      atOnce -= 1;
    };
    work(apply, { isContested, turnsAtOnce: 2 });
    await until(() => applied.length === 10);
    expect(applied.some(isContested)).toBe(false);
    mayEnd.give();
    await until(() => applied.length === 20);
    expect([new Set(applied.map(({ id }) => id)).size, most]).toEqual([20, 1]);
  });

  it('gives jobs back to the front when the worker stops in the middle of trouble', async () => {
    const { id } = await commit(1);
    const worker = work(async () => {
      throw Object.assign(new Error('away'), { kind: 'passing' });
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    workers.pop();
    await worker.close();
    expect(applied).toEqual([]);
    work();
    await until(() => applied.length === 1);
    expect(applied[0]?.id).toBe(id);
  });

  it.each([
    ['took its worker down again and again while alone', 2, '30', causes.crash()],
    ['was found to block its process', 1, 'blocked: for 3 s', { code: 'blocked', reason: 'for 3 s' }],
  ])('convicts the request that %s, and none of its neighbours', async (_, stalls, evidence, cause) => {
    const ids = (await commitAll([1, 13, 2])).map(({ id }) => id);
    const { suspects } = await stalled(stalls);
    await redis.hset(suspects, ids[1] ?? '', evidence, ids[2] ?? '', 10);
    const dead: unknown[] = [];
    work(undefined, {
      dead: async (request: AcceptedRequest, cause: unknown) => {
        dead.push([request.id, cause]);
        return ok;
      },
    });
    await until(() => applied.length === 2 && dead.length === 1);
    expect(dead).toEqual([[ids[1], cause]]);
    expect(applied.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
    await until(async () => (await redis.exists(suspects)) === 0);
  });

  it('has evidence while a request is at work, most of it in its first moments, and none afterwards', async () => {
    const { id } = await commit(1);
    const { suspects } = await stalled(1);
    const mayEnd = createSignal();
    const evidence = () => redis.hget(suspects, id);
    const seen: unknown[] = [];
    work(async () => {
      seen.push(await evidence());
      await mayEnd.given;
    });
    // A request comes in with one point, before its first moments are counted.
    await until(async () => seen.length === 1 && (await evidence()) === '1');
    expect(seen).toEqual(['10']);
    mayEnd.give();
    await until(async () => applied.length === 1 && (await evidence()) === null);
  });

  it('has more evidence while its worker computes, where the worker says when', async () => {
    const { id } = await commit(1);
    const { suspects } = await stalled(1);
    const computing = createComputing();
    const seen: unknown[] = [];
    const look = async () => void seen.push(await redis.hget(suspects, id));
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
    await until(async () => (await redis.exists(suspects)) === 0);
  });

  it('tries few at a time after one end, and suspects alone after two', async () => {
    const commits = await commitAll(upTo(40));
    const { suspects } = await stalled(1);
    await redis.hset(suspects, commits[39]?.id ?? '', 10);
    const sizes: number[] = [];
    work(async (requests) => void sizes.push(requests.length));
    await until(() => applied.length === 40);
    expect(sizes).toEqual([32, 7, 1]);
  });

  it('suspects no request because it had to stop while trying again', async () => {
    await commit(1);
    const { queue, jobs, suspects } = await stalled(2);
    let tries = 0;
    const away = async () => {
      tries += 1;
      throw Object.assign(new Error('MongoDB is away'), { kind: 'passing' });
    };
    work(away);
    await until(() => tries > 0);
    expect(await redis.exists(suspects)).toBe(1);
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
    expect(await redis.exists(suspects)).toBe(0);
    expect(await redis.lrange(queueKey(queue, 'wait'), 0, -1)).toEqual(jobs);
  });

  it('keeps dead letters until they are retried or dropped', async () => {
    const letters = createDeadLetters(redis);
    const request = { id: 'r5-x', ws: 'w', op: 'users.track', at: 5, body: { n: 1 } } as AcceptedRequest;
    const letter = { id: 'r5-x', queue: 'track' as const, code: '14', reason: 'bad type', at: '', request };
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
    const letters = createDeadLetters(redis);
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
    const [first, second] = (await commitAll([1, 2, 3])).map(({ at }) => at);
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
    let passes = (n: number): boolean => n === 3;
    const waits: number[] = [];
    work(undefined, {
      fence: async (requests: AcceptedRequest[]) =>
        new Set(requests.filter((request) => passes(numberOf(request))).map(({ id }) => id)),
      on: { fenced: (ms: number) => waits.push(ms) },
    });
    for (const n of [1, 2, 3]) await commit(n);
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
    await commit(1, { op, family: 'identity' });
    const identity = queuesOf('identity', 1);
    const asking = [
      { id: 'r', ws: 'w', op: 'subscription.status.set', at: await takeStamps(redis, 1) },
    ] as const;
    const gate = createGate(redis, identity, { isPassable: isJobAboutAliases });
    expect((await gate(asking)).size).toBe(isPassed ? 1 : 0);
    expect((await createGate(redis, identity)(asking)).size).toBe(0);
  });

  it('postpones a request until its turn comes, without keeping its neighbours', async () => {
    const tried: number[] = [];
    let waits = 3;
    work(undefined, {
      async apply(requests: AcceptedRequest[]) {
        tried.push(...requests.map(numberOf));
        const isEarly = (request: AcceptedRequest) => numberOf(request) === 2 && waits-- > 0;
        return requests.map((request) => (isEarly(request) ? postponed : ok));
      },
    });
    await commitAll([1, 2, 3]);
    const { at } = await commit(4);
    await until(() => tried.length === 7);
    expect(tried.sort()).toEqual([1, 2, 2, 2, 2, 3, 4]);
    await until(async () => createFence(redis, queues).isPast(at));
  });

  it('shows the fence what waits for its turn', async () => {
    const fence = createFence(redis, queues);
    const { at } = await commit(1);
    let turns = 0;
    work(undefined, {
      async apply(requests: AcceptedRequest[]) {
        expect(await fence.isPast(at)).toBe(false);
        turns += 1;
        return requests.map(() => (turns < 6 ? postponed : ok));
      },
    });
    await until(() => turns === 6);
    await until(() => fence.isPast(at));
    const oldest = await createOldestBeside(redis, queues)(new Set());
    expect(oldest('w')).toBe(Number.POSITIVE_INFINITY);
  });

  it('lets nobody wait for what another workspace waits for, also out of one group', async () => {
    const fence = createFence(redis, queues);
    await addGroup(1, [
      ['r1-x', 'waits', 'users.track', {}],
      ['r2-x', 'goes', 'users.track', {}],
    ]);
    expect(await fence.isPast(3, 'goes')).toBe(false);
    let isOver = false;
    work(undefined, {
      apply: async (all: AcceptedRequest[]) =>
        all.map(({ ws }) => (ws === 'waits' && !isOver ? postponed : ok)),
    });
    await until(() => fence.isPast(3, 'goes'));
    expect(await fence.isPast(3, 'waits')).toBe(false);
    isOver = true;
    await until(() => fence.isPast(3, 'waits'));
  });

  it('takes up an older request first, although those that wait for it fill the hands of the worker', async () => {
    const add = (at: number) => addGroup(at, [[`r${at}-x`, `w${at}`, 'users.track', {}]]);
    const [old, ...younger] = [10, 20, 30];
    for (const at of younger) await add(at);
    const tried = () => applied.filter(({ id }) => id !== `r${old}-x`).length;
    const isThere = () => applied.some(({ id }) => id === `r${old}-x`);
    work(undefined, {
      concurrency: 2,
      async apply(requests: AcceptedRequest[]) {
        applied.push(...requests);
        return requests.map(() => (isThere() ? ok : postponed));
      },
    });
    await until(() => tried() >= 4);
    // A job of a worker that vanished comes back like this, and what is postponed meanwhile goes before it.
    await add(old);
    const triedThen = tried();
    await until(isThere);
    expect(tried() - triedThen).toBeLessThan(10);
    await until(() => createFence(redis, queues).isPast(31));
  });

  it('says of a request that it has waited enough', async () => {
    await addGroup(1, [['r1-x', 'w', 'users.track', {}]], mostTries);
    const enough: boolean[] = [];
    work(undefined, {
      async apply(requests: AcceptedRequest[], waitedEnough: ReadonlySet<string>) {
        enough.push(...requests.map((request) => waitedEnough.has(request.id)));
        return requests.map(() => ok);
      },
    });
    await until(() => enough.length === 1);
    expect(enough).toEqual([true]);
  });

  it('does not say it of one that came later and waits together with one that has', async () => {
    const add = (id: string, at: number, tries: number) =>
      addGroup(at, [[id, 'w', 'users.track', {}]], tries);
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
        return ids.map((id) => (id === 'slow' || enough.length > 0 ? ok : postponed));
      },
    });
    await until(() => enough.length > 0);
    expect(turns.filter((ids) => ids.length === 2)).not.toEqual([]);
    expect(enough).toEqual(['old']);
  });
});
