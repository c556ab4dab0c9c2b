import { createShares, fairShare } from './shares.ts';

/** What each sends in a second, as requests of nine entries, for three seconds. */
const overOf = (perSecond: Record<string, number>): string[] => {
  const shares = createShares();
  for (let second = 0; second < 3; second++) {
    for (const [ws, work] of Object.entries(perSecond)) {
      for (let sent = 0; sent < work; sent += 10) shares.count(ws, 9, second * 1000);
    }
  }
  return Object.keys(perSecond).filter((ws) => shares.isOver(ws, 2_000));
};

const many = (count: number, work: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`w${index}`, work]));

describe('a workspace is over its share', () => {
  it.each([
    ['one that sends fifty times what the other sends', { a: 5000, b: 100 }, ['a']],
    ['one alone, because another may come at any moment', { a: 5000 }, ['a']],
    ['two that send the same, because a third may come', { a: 5000, b: 5000 }, ['a', 'b']],
    ['two floods beside a light one', { a: 5000, b: 5000, c: 100 }, ['a', 'b']],
    ['not one of many that send the same', many(8, 5000), []],
    ['one of many that sends as much as all the others', { ...many(40, 100), a: 5000 }, ['a']],
    ['not who sends little, whatever its share', { a: 40, b: 10 }, []],
    ['not who is one of two that differ a little less than two to one', { a: 5000, b: 4000, c: 4000 }, ['a']],
  ])('%s', (_title, perSecond, over) => {
    expect(overOf(perSecond)).toEqual(over);
  });

  it('until ten seconds after it was, also between bursts', () => {
    const shares = createShares();
    shares.count('a', 5000, 0);
    expect(shares.isOver('a', 0)).toBe(true);
    shares.count('b', 1, 1500);
    expect(shares.isOver('a', 1_500)).toBe(true);
    shares.count('b', 1, 2600);
    expect(shares.isOver('a', 2_600)).toBe(true);
    expect(shares.isOver('a', 11_400)).toBe(true);
    expect(shares.isOver('a', 11_500)).toBe(false);
  });

  it('never below a fifth of everything', () => {
    expect([1, 2, 5, 1000].map(fairShare)).toEqual([0.625, 1.25 / 3, 1.25 / 6, 0.2]);
  });
});
