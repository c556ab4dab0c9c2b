import { createPlaces } from './bounds.ts';

describe('places', () => {
  it('are so many in all, and so many of one', () => {
    const { take } = createPlaces({ most: 3, ofOne: 2 });
    const [first] = [take('a'), take('a')];
    expect(take('a')).toBeUndefined();
    expect(take('b')).toBeDefined();
    expect(take('c')).toBeUndefined();
    first?.();
    first?.();
    expect(take('a')).toBeDefined();
    expect(take('c')).toBeUndefined();
  });

  it('of nobody in particular only count together', () => {
    const { take } = createPlaces({ most: 3, ofOne: 1 });
    const taken = [take(), take(), take(), take()];
    expect(taken.map((leave) => leave !== undefined)).toEqual([true, true, true, false]);
  });

  it('are stuck from the moment when the last one was taken, until one comes free', () => {
    let time = 1_000;
    const { take, stuckMs } = createPlaces({ most: 2, ofOne: 2, now: () => time });
    const leave = take('a');
    time += 5;
    expect(stuckMs()).toBe(0);
    take('b');
    time += 5;
    expect(stuckMs()).toBe(5);
    leave?.();
    expect(stuckMs()).toBe(0);
    take('c');
    time += 3;
    expect(stuckMs()).toBe(3);
  });
});
