import { createPlaces, createWaiting, takeFrom } from './bounds.ts';

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

  it('come free for a newcomer where somebody only waits: of the one with the most, the one that waits longest', () => {
    const places = createPlaces({ most: 4, ofOne: 3 });
    const waiting = createWaiting();
    const ended: string[] = [];
    const enter = (who: string, name = who) => {
      const leave = takeFrom(places, waiting, who);
      if (!leave) return false;
      const over = waiting.add(who, () => {
        over();
        leave();
        ended.push(name);
      });
      return true;
    };
    for (const name of ['a1', 'b1', 'a2', 'a3']) expect(enter(name.charAt(0), name)).toBe(true);
    expect(enter('a')).toBe(false);
    expect(ended).toEqual([]);
    expect(enter('c')).toBe(true);
    expect(enter('b', 'b2')).toBe(true);
    expect(ended).toEqual(['a1', 'a2']);
  });

  it('are kept by those who do not only wait', () => {
    const places = createPlaces({ most: 1, ofOne: 1 });
    const waiting = createWaiting();
    const over = waiting.add('a', () => {});
    expect(places.take('a')).toBeDefined();
    over();
    over();
    expect(takeFrom(places, waiting, 'b')).toBeUndefined();
    expect(waiting.endOne()).toBe(false);
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
