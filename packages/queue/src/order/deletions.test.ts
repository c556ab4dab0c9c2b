import { until, useRedis } from '@roster/testkit';
import { groupId } from '../group.ts';
import { deletionsKey, namedKey, queuesOf } from '../names.ts';
import { openQueue } from '../produce/group-queue.ts';
import { createBatchWorker } from '../work/worker.ts';
import { createDeletions, mostNames, nameDigest, namesOf, writeNotices } from './deletions.ts';
import { createGate, type Gate } from './fence.ts';

const secret = 'a secret of this test';
const waiting = '{roster:identity}:identity:wait';

const { url, redis } = useRedis();
const deletions = createDeletions(redis);
beforeEach(() => redis.flushdb());

const request = (at: number, ws = 'demo') => ({ id: `r${at}`, ws, at, op: 'users.track' as const });
const ada = 'demo:e:ada';

/** Accepted: its job is there, then its notice. */
const accept = async (at: number, keys: string[], deletes = true, ws = 'demo'): Promise<void> => {
  await redis.lpush(waiting, groupId(at, 'x'));
  await writeNotices(redis, [{ ws, id: `r${at}`, at, names: namesOf(secret, keys), deletes }]);
};

const take = (at: number) => redis.lrem(waiting, 1, groupId(at, 'x'));

/** Applied: its job is gone. */
const finish = async (at: number, ws = 'demo'): Promise<void> => {
  await take(at);
  await deletions.finished([{ id: `r${at}`, ws, at }]);
};

/** For a request that was accepted after all of them. */
const pending = async () => (await deletions.pendingFor([request(110)])).get('demo');

describe('a deletion that is accepted and not applied', () => {
  it('concerns what was accepted after it in its workspace, and nothing else', async () => {
    await accept(100, [ada]);
    const found = await deletions.pendingFor([request(90), request(110), request(120, 'other')]);
    expect([...found]).toEqual([
      ['demo', { oldest: 100, names: new Set([nameDigest(secret, ada)]), byContact: false }],
    ]);
    expect(await deletions.pendingFor([request(90), request(120, 'other')])).toEqual(new Map());
  });

  it('is over with its notice', async () => {
    await accept(100, [ada]);
    await accept(101, ['demo:e:bob']);
    await finish(100);
    expect((await pending())?.oldest).toBe(101);
    await finish(101);
    expect(await deletions.pendingFor([request(110)])).toEqual(new Map());
    expect(await redis.exists(deletionsKey('demo'), namedKey('demo'))).toBe(0);
  });

  it('stands while its job waits behind others', async () => {
    await accept(100, [ada]);
    await redis.lpush(waiting, groupId(130, 'x'));
    expect(await pending()).toBeDefined();
  });

  it.each(['identity:active', 'identity-heavy:wait', 'identity-heavy:active'])(
    'stands while its job is in %s',
    async (list) => {
      await accept(100, [ada]);
      await redis.lmove(waiting, `{roster:identity}:${list}`, 'RIGHT', 'LEFT');
      expect(await pending()).toBeDefined();
    },
  );

  it('is no obstacle when a crash has left its notice behind', async () => {
    await accept(100, [ada]);
    await take(100);
    expect(await deletions.pendingFor([request(110)])).toEqual(new Map());
    expect(await redis.exists(deletionsKey('demo'), namedKey('demo'))).toBe(0);
  });

  it('comes with the names in all unfinished identity requests, finished ones left out', async () => {
    await accept(90, ['demo:e:old'], false);
    await accept(95, ['demo:e:bob', ada], false);
    await accept(100, [ada]);
    await finish(90);
    const { names } = (await pending()) ?? {};
    expect(names).toEqual(new Set(namesOf(secret, ['demo:e:bob', ada])));
  });

  it('keeps a name that a later request names again', async () => {
    await accept(100, [ada]);
    await accept(105, [ada], false);
    await finish(100);
    await accept(106, ['demo:e:bob']);
    const { names } = (await pending()) ?? {};
    expect(names).toEqual(new Set(namesOf(secret, [ada, 'demo:e:bob'])));
  });

  it('by a contact says so', async () => {
    await accept(100, ['demo:m:ada@example.com']);
    expect((await pending())?.byContact).toBe(true);
  });

  it('has no more names beside it than fit', async () => {
    const names = Array.from({ length: 200 }, (_, n) => `n${n}`);
    for (let n = 1; n <= 150; n++)
      await writeNotices(redis, [{ ws: 'demo', id: `r${n}`, at: n, names, deletes: false }]);
    expect(await redis.zcard(namedKey('demo'))).toBe(mostNames / 200);
    await accept(200, [ada]);
    expect(await redis.zcard(namedKey('demo'))).toBe(mostNames / 200 + 1);
    expect((await deletions.before([request(210)])).get('demo')).toBe(200);
  });
});

describe('the gate', () => {
  const track = queuesOf('track', 1);
  const passed = async (...requests: ReturnType<typeof request>[]) => [
    ...(await createGate(redis, track, { heldUp: deletions.before })(requests)),
  ];

  it('lets requests pass up to the oldest unfinished one', async () => {
    await redis.lpush('{roster:track-0}:track-0:wait', groupId(50, 'x'));
    expect(await passed(request(40), request(60))).toEqual(['r40']);
  });

  it('holds up what was accepted after the deletion of another batch, not what comes with it', async () => {
    await accept(100, [ada]);
    expect(await passed(request(90), request(110), request(120, 'other'))).toEqual(['r90', 'r120']);
    expect(await passed(request(100), request(110))).toEqual(['r100', 'r110']);
    await finish(100);
    expect(await passed(request(110))).toEqual(['r110']);
  });
});

describe('two deletions in one job, and a track request between them that waits for the first', () => {
  const [identity] = queuesOf('identity', 1);
  const trackWaiting = '{roster:track-0}:track-0:wait';
  const idOf = (at: number) => `r${at.toString(36)}-00000000`;
  const quietly = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  /** What an identity worker applies, or within two seconds does not, and how it ends when the track request is finished then. */
  const outcomeWith = async (
    fence: Gate,
    { waits }: { waits: boolean },
  ): Promise<{ before: number[]; after: number[] }> => {
    if (!identity) throw new Error('there is no queue');
    const queue = openQueue(identity, redis);
    const requests = [100, 300].map((at) => [idOf(at), 'demo', 'users.delete', {}]);
    await queue.add('users.delete', { v: 1, entries: 2, bytes: 2, requests }, { jobId: groupId(100, 'x') });
    await redis.lpush(trackWaiting, groupId(200, 'x'));
    const applied: number[] = [];
    const worker = createBatchWorker({
      url,
      queues: [identity],
      limits: { requests: 10, entries: 10, bytes: 1000 },
      isKnown: () => true,
      fence,
      classify: () => 'permanent',
      dead: async () => ({ status: 500, body: '' }),
      async apply(some) {
        applied.push(...some.map(({ at }) => at));
        // The first deletion is applied: now the track request is.
        if (applied.includes(100)) await redis.del(trackWaiting);
        return some.map(() => ({ status: 200, body: '' }));
      },
    });
    if (waits) await quietly(2_000);
    else await until(() => applied.length === 2);
    const before = [...applied];
    await redis.del(trackWaiting);
    await until(() => applied.length === 2);
    await worker.close();
    await queue.close();
    return { before, after: applied };
  };

  it('are applied one after the other', async () => {
    const gate = createGate(redis, queuesOf('track', 1), { heldUp: deletions.before });
    expect(await outcomeWith(gate, { waits: false })).toEqual({ before: [100, 300], after: [100, 300] });
  });

  it('would wait in a circle if the fence judged the batch as a whole', async () => {
    const gate = createGate(redis, queuesOf('track', 1), { heldUp: deletions.before });
    const whole: Gate = async (requests) => {
      const passed = await gate(requests);
      return passed.size === requests.length ? passed : new Set();
    };
    expect(await outcomeWith(whole, { waits: true })).toEqual({ before: [], after: [100, 300] });
  });
});
