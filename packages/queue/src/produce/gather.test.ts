import { createGathering } from './gather.ts';

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('gathering', () => {
  it('writes what arrives during a write together in the next one', async () => {
    const writes: number[][] = [];
    const gather = createGathering<number, number>(async (items) => {
      writes.push(items);
      await later(10);
      return items.map((item) => item * 2);
    });
    const first = gather(1);
    await later(2);
    const others = [gather(2), gather(3), gather(4)];
    expect(await Promise.all([first, ...others])).toEqual([2, 4, 6, 8]);
    expect(writes).toEqual([[1], [2, 3, 4]]);
  });

  it('takes all that arrive in the same moment into one write', async () => {
    const writes: number[][] = [];
    const gather = createGathering<number, void>(async (items) => {
      writes.push(items);
      return items.map(() => undefined);
    });
    await Promise.all([gather(1), gather(2), gather(3)]);
    expect(writes).toEqual([[1, 2, 3]]);
  });

  it('fails every waiting call when a write fails, and works again afterwards', async () => {
    let broken = true;
    const gather = createGathering<number, number>(async (items) => {
      await later(5);
      if (broken) throw new Error('no');
      return items;
    });
    const first = gather(1);
    await later(1);
    const second = gather(2);
    const results = await Promise.allSettled([first, second]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    broken = false;
    expect(await gather(3)).toBe(3);
  });
});
