import fc from 'fast-check';
import { createDearest, others } from './dearest.ts';

const sumsOf = (dearest: ReturnType<typeof createDearest>) =>
  Object.fromEntries(dearest.sums().map(({ name, sum }) => [name, sum]));

describe('the dearest names', () => {
  it('have sums of their own from the start, as long as there are few', () => {
    const dearest = createDearest({ most: 2 });
    dearest.add('a', 1);
    dearest.add('b', 2);
    dearest.add('a', 3);
    expect(sumsOf(dearest)).toEqual({ a: 4, b: 2 });
  });

  it('leave the rest to the others', () => {
    const dearest = createDearest({ most: 2 });
    for (const name of ['a', 'b', 'c', 'd']) dearest.add(name, 5);
    expect(sumsOf(dearest)).toEqual({ a: 5, b: 5, [others]: 10 });
  });

  it('are chosen by what they cost lately', () => {
    const dearest = createDearest({ most: 1 });
    dearest.add('early', 10);
    dearest.add('dear', 1000);
    dearest.choose();
    expect(sumsOf(dearest)).toEqual({ dear: 0, [others]: 1000 });
    dearest.add('dear', 7);
    dearest.add('early', 1);
    expect(sumsOf(dearest)).toEqual({ dear: 7, [others]: 1001 });
    for (let n = 0; n < 10; n++) dearest.choose();
    dearest.add('early', 50);
    dearest.choose();
    expect(sumsOf(dearest)).toEqual({ early: 0, [others]: 1051 });
  });

  it('stay few, and so do the names that are remembered, however many there are', () => {
    const dearest = createDearest({ most: 20, watched: 100 });
    for (let n = 0; n < 10_000; n++) {
      dearest.add(`w${n}`, n + 1);
      if (n % 1000 === 0) dearest.choose();
    }
    expect(dearest.sums()).toHaveLength(21);
    // Past the bound on names, a new one is not chosen before others are forgotten.
    dearest.add('late', 1_000_000_000);
    dearest.choose();
    expect(sumsOf(dearest)).not.toHaveProperty('late');
    for (let n = 0; n < 20; n++) dearest.choose();
    dearest.add('late', 1);
    dearest.choose();
    expect(sumsOf(dearest)).toHaveProperty('late');
  });

  it('count each amount once, while the choice stays', () => {
    const amounts = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 1, max: 100 })));
    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: 5 }), (given, most) => {
        const dearest = createDearest({ most });
        for (const [name, amount] of given) dearest.add(name, amount);
        const whole = given.reduce((all, [, amount]) => all + amount, 0);
        expect(dearest.sums().reduce((all, { sum }) => all + sum, 0)).toBe(whole);
      }),
    );
  });
});
