import { createBudget, NoRoom } from './budget.ts';
import type { Release } from './lines.ts';

const budget = (more: Partial<Parameters<typeof createBudget>[0]> = {}) =>
  createBudget({ bytes: 100, share: 60, patienceMs: 10_000, ...more });

/** What has been granted by the time everything that can go on has gone on. */
const follow = (taken: Release | Promise<Release>) => {
  const one: { release?: Release; error?: unknown } = {};
  Promise.resolve(taken).then(
    (release) => {
      one.release = release;
    },
    (error) => {
      one.error = error;
    },
  );
  return one;
};
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a budget of bytes', () => {
  it('gives at once what there is room for, and no more than there is', async () => {
    const { take, used } = budget();
    const first = take('a', 60);
    expect(first).toBeInstanceOf(Function);
    const second = follow(take('b', 50));
    await settled();
    expect([used(), second.release]).toEqual([60, undefined]);
    (first as Release)();
    await settled();
    expect(used()).toBe(50);
    second.release?.();
    second.release?.();
    expect(used()).toBe(0);
  });

  it('gives now or not at all, and says whether the workspace or the whole is full', () => {
    const { takeNow, used } = budget();
    const release = takeNow('a', 60);
    expect(() => takeNow('a', 1)).toThrow('no room in the share of the workspace');
    expect(() => takeNow('b', 50)).toThrow(/^no room$/);
    release();
    takeNow('b', 50);
    expect(used()).toBe(50);
  });

  it('keeps a workspace to its share, and passes over it meanwhile', async () => {
    const { take } = budget();
    take('a', 60);
    const own = follow(take('a', 10));
    const other = follow(take('b', 40));
    await settled();
    expect(own.release).toBeUndefined();
    expect(other.release).toBeDefined();
  });

  it('serves workspaces in turn', async () => {
    const { take } = budget({ bytes: 10, share: 10 });
    let release = take('x', 10) as Release;
    const order: string[] = [];
    for (const ws of ['a', 'a', 'a', 'b', 'c'])
      void Promise.resolve(take(ws, 10)).then((granted) => {
        order.push(ws);
        release = granted;
      });
    for (let n = 0; n < 5; n++) {
      release();
      await settled();
    }
    expect(order).toEqual(['a', 'b', 'c', 'a', 'a']);
  });

  it('does not let small ones overtake a large one for ever', async () => {
    const { take } = budget({ share: 100 });
    const half = take('a', 50) as Release;
    const large = follow(take('b', 100));
    const small = follow(take('c', 10));
    await settled();
    expect([large.release, small.release]).toEqual([undefined, undefined]);
    half();
    await settled();
    expect(large.release).toBeDefined();
    large.release?.();
    await settled();
    expect(small.release).toBeDefined();
  });

  it('lets no request wait longer than the patience, and says which room was missing', async () => {
    const { take, used } = budget({ patienceMs: 20 });
    take('a', 60);
    await expect(take('a', 10)).rejects.toMatchObject({ own: true });
    await expect(take('b', 50)).rejects.toBeInstanceOf(NoRoom);
    await expect(take('b', 50)).rejects.toMatchObject({ own: false });
    expect(used()).toBe(60);
    expect(take('b', 40)).toBeInstanceOf(Function);
  });
});
