import fc from 'fast-check';
import type { Value } from '../profile.ts';
import { changeArray, uniqueElements } from './array-change.ts';

const values = fc.array(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom('a', 'b', true, null)));

/** As the rule is written: the last one of several equal ones counts, and the oldest go. */
const plainly = (all: readonly Value[], most: number) => {
  const last = all.filter((value, place) => all.lastIndexOf(value) === place);
  return { elements: last.slice(Math.max(0, last.length - most)), isFull: last.length > most };
};

describe('the elements of an array', () => {
  it('are the last ones, each once', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 12 }), (all, most) => {
        expect(uniqueElements(all, most)).toEqual(plainly(all, most));
      }),
    );
  });

  it('are changed by removals first, and by additions then', () => {
    fc.assert(
      fc.property(values, values, values, (old, remove, add) => {
        const kept = old.filter((value) => !remove.includes(value));
        expect(changeArray(old, { add, remove, most: 5 })).toEqual(plainly([...kept, ...add], 5));
        expect(changeArray(old, { remove })).toEqual({ elements: kept, isFull: false });
      }),
    );
  });

  it('are read no further than needed', () => {
    let looks = 0;
    const many = new Proxy(
      Array.from({ length: 50_000 }, (_, n) => n),
      {
        get(target, name) {
          if (typeof name === 'string' && /^\d+$/.test(name)) looks += 1;
          return Reflect.get(target, name);
        },
      },
    );
    expect(uniqueElements(many, 25).elements).toHaveLength(25);
    expect(looks).toBe(26);
  });
});
