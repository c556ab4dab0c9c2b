import { until, useRedis } from '@roster/testkit';
import { createLateCharges } from './late-charges.ts';

const rate = { pool: 'work', requests: 1000, seconds: 3600 };

describe('charges for work that was done', () => {
  const { redis } = useRedis();
  beforeEach(() => redis.flushdb());

  const taken = async (ws: string): Promise<number> => {
    const keys = await redis.keys(`roster:limit:${ws}:work:*`);
    const counts = await Promise.all(keys.map((key) => redis.get(key)));
    return counts.reduce((sum, count) => sum + Number(count), 0);
  };

  it('take the points of a second from the workspace that made a worker load, and from no other', async () => {
    const pointsOf = (bytes: number): number => Math.max(0, bytes - 100);
    const charges = createLateCharges({ redis, rateOf: () => rate, pointsOf });
    for (let n = 0; n < 5; n++) charges.add('loud', 50);
    charges.add('quiet', 100);
    await charges.close();
    expect([await taken('loud'), await taken('quiet')]).toEqual([150, 0]);
  });

  it('come once a second by themselves', async () => {
    const charges = createLateCharges({ redis, rateOf: async () => rate, pointsOf: Number, everyMs: 10 });
    charges.add('loud', 7);
    await until(async () => (await taken('loud')) > 0);
    expect(await taken('loud')).toBe(7);
    await charges.close();
  });
});
