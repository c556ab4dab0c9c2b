import { chargeWork } from '@roster/queue';
import { useRedis } from '@roster/testkit';
import { createLimiter } from './limiter.ts';

describe('the limiter', () => {
  let time = 1_800_000_000_000;
  const now = () => time;
  const { redis } = useRedis();
  beforeEach(() => redis.flushdb());

  const take = async (
    limiter: ReturnType<typeof createLimiter>,
    count: number,
    rate = { requests: 10, seconds: 60 },
  ) => Promise.all(Array.from({ length: count }, () => limiter.take('w', 'pool', rate)));

  it('lets exactly the limit through in a window, and starts anew in the next', async () => {
    const limiter = createLimiter({ redis, now });
    const first = await take(limiter, 14);
    expect(first.filter(({ ok }) => ok)).toHaveLength(10);
    expect(first.at(-1)).toEqual({ ok: false, limit: 10, remaining: 0, reset: 1_800_000_060 });
    time += 60_000;
    expect((await take(limiter, 1))[0]).toMatchObject({ ok: true, remaining: 9 });
  });

  it('counts several processes together', async () => {
    const one = createLimiter({ redis, now });
    const two = createLimiter({ redis, now });
    const rate = { requests: 100, seconds: 60 };
    const results = [...(await take(one, 60, rate)), ...(await take(two, 60, rate))];
    const passed = results.filter(({ ok }) => ok).length;
    expect(passed).toBeLessThanOrEqual(100);
    expect(passed).toBeGreaterThanOrEqual(95);
  });

  it('answers most calls without asking Redis', async () => {
    const limiter = createLimiter({ redis, now });
    await take(limiter, 1, { requests: 1000, seconds: 60 });
    expect(limiter.take('w', 'pool', { requests: 1000, seconds: 60 })).not.toBeInstanceOf(Promise);
  });

  it('keeps workspaces and pools apart', async () => {
    const limiter = createLimiter({ redis, now });
    const rate = { requests: 1, seconds: 60 };
    expect((await limiter.take('a', 'pool', rate)).ok).toBe(true);
    expect((await limiter.take('b', 'pool', rate)).ok).toBe(true);
    expect((await limiter.take('a', 'other', rate)).ok).toBe(true);
    expect((await limiter.take('a', 'pool', rate)).ok).toBe(false);
  });

  it('takes several points at once, and leaves what is left to smaller requests', async () => {
    const limiter = createLimiter({ redis, now });
    const rate = { requests: 100, seconds: 60 };
    expect(await limiter.take('w', 'work', rate, 70)).toMatchObject({ ok: true, remaining: 30 });
    expect(await limiter.take('w', 'work', rate, 40)).toMatchObject({ ok: false });
    expect(await limiter.take('w', 'work', rate, 30)).toMatchObject({ ok: true, remaining: 0 });
    expect(await limiter.take('w', 'work', rate, 1)).toMatchObject({ ok: false });
  });

  it('hears of work that a worker charges afterwards, over several windows', async () => {
    const limiter = createLimiter({ redis, now });
    const rate = { pool: 'work', requests: 100, seconds: 60 };
    const allowed = async (points: number) => (await limiter.take('w', 'work', rate, points)).ok;
    expect(await allowed(5)).toBe(true);
    await chargeWork(redis, { ws: 'w', rate, points: 150 }, time);
    expect(await allowed(20)).toBe(false);
    time += 60_000;
    expect(await allowed(60)).toBe(false);
    expect(await allowed(40)).toBe(true);
    time += 60_000;
    expect(await allowed(100)).toBe(true);
  });
});
