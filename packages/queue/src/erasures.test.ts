import { type TestServer, testRedis } from '@roster/testkit';
import { Redis } from 'ioredis';
import { createErasures, type Erasure, type ErasureLimits } from './erasures.ts';
import { erasuresKey } from './names.ts';
import { replayErasures } from './replay-erasures.ts';

jest.setTimeout(60_000);

let server: TestServer;
let redis: Redis;

beforeAll(async () => {
  server = await testRedis();
  redis = new Redis(server.url, { maxRetriesPerRequest: null });
});
beforeEach(() => redis.flushdb());
afterAll(async () => {
  redis.disconnect();
  await server.close();
});

const erasure = (n: number, people = 1): Erasure => ({
  id: `r${n.toString(36).padStart(9, '1')}-0123abcd`,
  ws: 'shop',
  profiles: Array.from({ length: people }, (_, person) => `p${n}-${person}`.padEnd(24, '0')),
});

const read = async (limits?: ErasureLimits): Promise<Erasure[]> => {
  const all: Erasure[] = [];
  for await (const one of createErasures(redis, limits).all()) all.push(one);
  return all;
};

describe('the log of erasures', () => {
  it('keeps each, oldest first, also more than one reading holds', async () => {
    const many = Array.from({ length: 2_500 }, (_, n) => erasure(n));
    await createErasures(redis).keep(many);
    expect(await read()).toEqual(many);
  });

  it('keeps people with many absorbed ids in several entries', async () => {
    await createErasures(redis).keep([erasure(1, 120)]);
    const found = await read();
    expect(found.map(({ profiles }) => profiles.length)).toEqual([50, 50, 20]);
    expect(found.flatMap(({ profiles }) => profiles)).toEqual(erasure(1, 120).profiles);
  });

  it('begins when it is first asked, and says so from then on', async () => {
    const before = Date.now();
    const since = await createErasures(redis).since();
    expect(Math.abs(since.getTime() - before)).toBeLessThan(5_000);
    await createErasures(redis).keep([erasure(1)]);
    expect(await createErasures(redis).since()).toEqual(since);
  });

  it('drops the oldest beyond its bound, and then begins later', async () => {
    const erasures = createErasures(redis, { most: 3 });
    const since = await erasures.since();
    for (let n = 0; n < 3; n++) await erasures.keep([erasure(n)]);
    expect(await erasures.since()).toEqual(since);
    await new Promise((resolve) => setTimeout(resolve, 5));
    for (let n = 3; n < 6; n++) await erasures.keep([erasure(n)]);
    expect(await read()).toEqual([3, 4, 5].map((n) => erasure(n)));
    expect((await erasures.since()).getTime()).toBeGreaterThan(since.getTime());
  });

  it('drops what is too old, and then begins later', async () => {
    await createErasures(redis).keep([erasure(1)]);
    const since = await createErasures(redis).since();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const short = createErasures(redis, { keptMs: 10 });
    await short.keep([erasure(2)]);
    expect(await read()).toEqual([erasure(2)]);
    expect((await short.since()).getTime()).toBeGreaterThan(since.getTime());
  });

  it('takes less than 300 bytes of Redis for a deletion of one person', async () => {
    const erasures = createErasures(redis);
    const service = 'abcdef0123456789abcdef01';
    const many = Array.from({ length: 5_000 }, (_, n) => ({ ...erasure(n), profiles: [service] }));
    await erasures.keep(many);
    expect(Number(await redis.memory('USAGE', erasuresKey, 'SAMPLES', 0)) / many.length).toBeLessThan(300);
  });
});

interface Job {
  requests: [id: string, ws: string, op: string, body: { service_ids: { service_id: string }[] }][];
}

describe('a replay', () => {
  it('queues a deletion by service ids under its old id, and the rest of a large one before it', async () => {
    const [large, small] = [erasure(1, 70), erasure(2)];
    const ids = await replayErasures(redis, [large, small]);
    expect(ids).toEqual([`${large.id}.1`, large.id, small.id]);
    const jobs = await redis.lrange('{roster:identity}:identity:wait', 0, -1);
    const groups = await Promise.all(
      jobs.map((job) => redis.hget(`{roster:identity}:identity:${job}`, 'data')),
    );
    const queued = groups.flatMap((group) => (JSON.parse(group ?? '') as Job).requests);
    expect(queued.map(([, ws, op]) => [ws, op])).toEqual(queued.map(() => ['shop', 'users.delete']));
    const people = queued.flatMap(([, , , { service_ids }]) =>
      service_ids.map(({ service_id }) => service_id),
    );
    expect(people.sort()).toEqual([...large.profiles, ...small.profiles].sort());
  });
});
