import { createSpareBytes } from './spare-bytes.ts';

describe('spare bytes', () => {
  it('are given again once they are back, also when only a part was used', () => {
    const spare = createSpareBytes(1_000_000);
    const first = spare.take(300_000);
    spare.giveBack(first.subarray(0, 10));
    expect(spare.take(200_000).buffer).toBe(first.buffer);
  });

  it('belong to one at a time', () => {
    const spare = createSpareBytes(1_000_000);
    spare.giveBack(spare.take(10));
    const taken = [spare.take(10), spare.take(10), spare.take(10)];
    expect(new Set(taken.map(({ buffer }) => buffer)).size).toBe(3);
  });

  it.each([1, 131_072, 131_073, 5_000_000])('are enough for %d', (size) => {
    const spare = createSpareBytes(1_000_000);
    spare.giveBack(spare.take(2));
    expect(spare.take(size).length).toBeGreaterThanOrEqual(size);
  });

  it('are not kept when they are very many, or a great many times', () => {
    const spare = createSpareBytes(1_000_000, 2);
    const big = spare.take(2_000_000);
    spare.giveBack(big);
    expect(spare.take(10).buffer).not.toBe(big.buffer);
    const [one, two, three] = [spare.take(10), spare.take(10), spare.take(10)];
    for (const each of [one, two, three]) spare.giveBack(each);
    const again = [spare.take(10), spare.take(10), spare.take(10)].map(({ buffer }) => buffer);
    expect(again.filter((buffer) => [one, two, three].some((each) => each.buffer === buffer))).toHaveLength(
      2,
    );
  });
});
