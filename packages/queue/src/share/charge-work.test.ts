import { useRedis } from '@roster/testkit';
import { limitKey } from '../names.ts';
import { chargeAhead, chargeBackground, chargeWork } from './charge-work.ts';

const rate = { pool: 'work', requests: 100, seconds: 60 };
const nowMs = 60_000 * 1_000;

describe('work in the background', () => {
  const { redis } = useRedis();
  beforeEach(() => redis.flushdb());

  const charge = (points: number, windowsLater = 0) =>
    chargeBackground(redis, { ws: 'w', rate, points }, nowMs + windowsLater * 60_000);
  const taken = async (windows: number) => {
    const keys = Array.from({ length: windows }, (_, n) => limitKey('w', 'work', 1_000 + n));
    return (await redis.mget(keys)).map(Number);
  };

  it('takes the first half of each window and no more, however much of it there is', async () => {
    for (let n = 0; n < 20; n += 1) await charge(30);
    expect(await taken(3)).toEqual([50, 10, 0]);
    for (let n = 0; n < 20; n += 1) await charge(30, 1);
    expect(await taken(3)).toEqual([50, 50, 20]);
  });

  it('waits while callers have used the half, and goes on in the next window', async () => {
    await chargeWork(redis, { ws: 'w', rate, points: 50 }, nowMs);
    expect(await charge(1)).toBe(false);
    expect(await charge(1, 1)).toBe(true);
    expect(await taken(2)).toEqual([50, 1]);
  });

  it('goes on where one request costs more than a window has, and pays for it for so long', async () => {
    expect(await charge(130)).toBe(true);
    expect(await taken(4)).toEqual([50, 50, 30, 0]);
    expect([await charge(1, 1), await charge(1, 2)]).toEqual([false, true]);
  });

  it('takes whole windows of a pool of its own', async () => {
    const ahead = (points: number, windowsLater = 0) =>
      chargeAhead(redis, { ws: 'w', rate, points }, nowMs + windowsLater * 60_000);
    expect([await ahead(60), await ahead(60), await ahead(1)]).toEqual([true, true, false]);
    expect(await taken(2)).toEqual([100, 20]);
    expect([await ahead(80, 1), await ahead(1, 1)]).toEqual([true, false]);
  });

  it('is bound to its own workspace', async () => {
    await charge(50);
    expect(await charge(1)).toBe(false);
    expect(await chargeBackground(redis, { ws: 'other', rate, points: 1 }, nowMs)).toBe(true);
  });
});
