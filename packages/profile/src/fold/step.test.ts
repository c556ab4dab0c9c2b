import fc from 'fast-check';
import { newProfile, type ObjectsChange, type Profile, type Stepping, type Value } from '../profile.ts';
import type { ProfileChange } from '../reading/change.ts';
import { mostStepBytes, mostSteps } from './custom-attribute.ts';
import { fold } from './fold.ts';
import { type Stepped, take as takeStep } from './step.ts';

/** The visible part of a step. Its work has tests of its own. */
const take = (v: Value, step: Stepping): Omit<Stepped, 'work'> => {
  const { work: _, ...seen } = takeStep(v, step);
  return seen;
};

type Nested = { [name: string]: Value };

/** The plain reference model: one value, steps applied in the order of record, written as simply as can be. */
const isObject = (value: unknown): value is Nested =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const own = (object: Nested, name: string): Value | undefined =>
  Object.entries(object).find(([key]) => key === name)?.[1];

const modelMerge = (old: Nested, next: Nested): Nested => {
  const pairs: [string, Value][] = Object.entries(old);
  for (const [name, value] of Object.entries(next)) {
    const pair = pairs.find(([key]) => key === name);
    if (!pair) pairs.push([name, value]);
    else pair[1] = isObject(pair[1]) && isObject(value) ? modelMerge(pair[1], value) : value;
  }
  return Object.fromEntries(pairs);
};

const modelArray = (old: Value[], add: Value[] | undefined, remove: Value[], most: number): Value[] => {
  const array = old.filter((value) => !remove.includes(value));
  if (!add) return array;
  for (const value of add) {
    if (array.includes(value)) array.splice(array.indexOf(value), 1);
    array.push(value);
  }
  while (array.length > most) array.shift();
  return array;
};

const modelObjects = (
  old: Nested[],
  { add = [], remove = [], update = [], merge }: ObjectsChange,
): Nested[] => {
  const objects = [...old, ...add];
  for (const { key, value } of remove) {
    for (let i = objects.length - 1; i >= 0; i--)
      if (own(objects[i] ?? {}, key) === value) objects.splice(i, 1);
  }
  for (const { key, value, with: next } of update) {
    objects.forEach((object, i) => {
      if (own(object, key) === value) objects[i] = merge ? modelMerge(object, next) : next;
    });
  }
  return objects;
};

const model = (value: Value, step: Stepping): Value => {
  if ('inc' in step)
    return typeof value === 'number' || value === null ? (value ?? 0) + Number(step.inc) : value;
  if ('merge' in step) {
    if (value === null) return step.merge;
    return isObject(value) ? modelMerge(value, step.merge) : value;
  }
  if (value === null && !('objects' in step ? step.objects.add : step.add)) return null;
  const old = value ?? [];
  if (!Array.isArray(old)) return value;
  if ('objects' in step) return old.every(isObject) ? modelObjects(old, step.objects) : value;
  return old.some((one) => typeof one === 'object' && one !== null)
    ? value
    : modelArray(old, step.add, step.remove ?? [], step.most ?? 25);
};

const few = fc.constantFrom<Value>('a', 'b', 'c', 'd', 1, 2, '1', true, false);
const oddNames = fc.constantFrom('a', 'b', 'id', '__proto__', 'constructor', 'toString', '', '0');
const tree: fc.Arbitrary<Nested> = fc.letrec<{ value: Value; object: Nested }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    few,
    tie('object'),
    fc.array(tie('value'), { maxLength: 2 }),
  ),
  object: fc.dictionary(oddNames, tie('value'), { maxKeys: 4, noNullPrototype: true }),
})).object;
const which = fc.record({ key: oddNames, value: few });
const objectsChange: fc.Arbitrary<ObjectsChange> = fc.record(
  {
    add: fc.array(tree, { maxLength: 3 }),
    remove: fc.array(which, { maxLength: 2 }),
    update: fc.array(
      fc.tuple(which, tree).map(([one, next]) => ({ ...one, with: next })),
      { maxLength: 2 },
    ),
    merge: fc.boolean(),
  },
  { requiredKeys: [] },
);
const steppings: fc.Arbitrary<Stepping> = fc.oneof(
  fc.record({ inc: fc.integer() }),
  fc.record({ add: fc.array(few), remove: fc.array(few), most: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ add: fc.array(few) }),
  fc.record({ remove: fc.array(few) }),
  fc.record({ merge: tree }),
  fc.record({ objects: objectsChange }),
);
const starts: fc.Arbitrary<Value> = fc.oneof(
  fc.constant(null),
  few,
  fc.integer(),
  fc.uniqueArray(few),
  tree,
  fc.array(tree),
);

const text = (value: Value | undefined) => JSON.stringify(value);

describe('a step, as laws', () => {
  it.each<[string, fc.Arbitrary<Value>, fc.Arbitrary<Stepping>]>([
    ['an array', fc.uniqueArray(few), fc.record({ add: fc.array(few), remove: fc.array(few) })],
    ['an array of objects', fc.array(tree), fc.record({ objects: objectsChange })],
    ['a nested attribute', tree, fc.record({ merge: tree })],
    ['anything', starts, steppings],
  ])('makes of %s what the plain model makes of it', (_, values, steps) => {
    fc.assert(
      fc.property(values, fc.array(steps, { maxLength: 8 }), (start, all) => {
        const [mine, plain] = [
          all.reduce((v, step) => take(v, step).v, start),
          all.reduce<Value>(model, start),
        ];
        expect(text(mine)).toBe(text(plain));
      }),
      { numRuns: 1000 },
    );
  });

  it('gives the same profile for every order of the requests', () => {
    type Act = { at: number; change: ProfileChange };
    const acts = fc
      .array(
        fc.oneof(
          { weight: 1, arbitrary: starts.map((value): ProfileChange => ({ kind: 'set', name: 'x', value })) },
          {
            weight: 4,
            arbitrary: steppings.map((step): ProfileChange => ({ kind: 'step', name: 'x', step })),
          },
        ),
        { minLength: 1, maxLength: 20 },
      )
      .map((all) => all.map((change, index): Act => ({ at: 2000 + index, change })));
    fc.assert(
      fc.property(
        acts.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([inOrder, shuffled]) => {
          const plain = inOrder.reduce<Value>(
            (v, { change }) =>
              change.kind === 'set' ? change.value : change.kind === 'step' ? model(v, change.step) : v,
            null,
          );
          const profile = shuffled.reduce<Profile>(
            (whole, { at, change }) => fold(whole, [change], at, 0).profile,
            newProfile('p', 'demo', 1000),
          );
          expect(text(profile.custom[0]?.v)).toBe(text(plain));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('never changes the given values', () => {
    fc.assert(
      fc.property(starts, steppings, (start, step) => {
        const before = text([start, JSON.parse(JSON.stringify(step))]);
        take(start, step);
        expect(text([start, JSON.parse(JSON.stringify(step))])).toBe(before);
      }),
    );
  });
});

describe('a step on a value that it does not fit', () => {
  it.each<[string, Value, Stepping, Value, string | undefined]>([
    ['an increment of a text', 'many', { inc: 1 }, 'many', 'not_a_number'],
    ['an increment of an array', ['a'], { inc: 1 }, ['a'], 'not_a_number'],
    ['an increment of nothing', null, { inc: -2 }, -2, undefined],
    ['an addition to nothing', null, { add: ['a'] }, ['a'], undefined],
    ['a removal from nothing', null, { remove: ['a'] }, null, undefined],
    ['an addition to a text', 'a', { add: ['b'] }, 'a', 'not_an_array'],
    ['an addition to an object', { a: 1 }, { add: ['b'] }, { a: 1 }, 'not_an_array'],
    ['an addition to an array of objects', [{ a: 1 }], { add: ['b'] }, [{ a: 1 }], 'not_an_array'],
    ['a merge into nothing', null, { merge: { a: 1 } }, { a: 1 }, undefined],
    ['a merge into an array', [1], { merge: { a: 1 } }, [1], 'not_an_object'],
    ['objects added to nothing', null, { objects: { add: [{ a: 1 }] } }, [{ a: 1 }], undefined],
    ['objects removed from nothing', null, { objects: { remove: [] } }, null, undefined],
    ['objects added to scalars', ['a'], { objects: { add: [{}] } }, ['a'], 'not_an_array_of_objects'],
  ])('%s', (_, start, step, v, reason) => {
    expect(take(start, step)).toEqual(reason === undefined ? { v } : { v, reason });
  });
});

describe('an array', () => {
  it('keeps a value that is both removed and added', () => {
    expect(take(['a', 'b'], { add: ['a'], remove: ['a', 'b'] }).v).toEqual(['a']);
  });

  it('moves a value that is added again to the end, and drops the oldest when it is full', () => {
    expect(take(['a', 'b', 'c'], { add: ['a'], most: 3 })).toEqual({ v: ['b', 'c', 'a'] });
    expect(take(['a', 'b', 'c'], { add: ['d'], most: 3 })).toEqual({
      v: ['b', 'c', 'd'],
      reason: 'array_full',
    });
  });

  it('holds 25 elements unless the workspace says otherwise', () => {
    const add = Array.from({ length: 30 }, (_, index) => index);
    expect(take(null, { add }).v).toEqual(add.slice(5));
  });

  it('tells texts from numbers', () => {
    expect(take(['1', 1], { remove: [1] }).v).toEqual(['1']);
  });
});

describe('an increment', () => {
  const safe = Number.MAX_SAFE_INTEGER;
  const most = 2n ** 63n - 1n;
  const least = -(2n ** 63n);

  it.each<[number | bigint | null, number | bigint, number | bigint, string | undefined]>([
    [safe - 1, 1, safe, undefined],
    [safe, -1, safe - 1, undefined],
    [safe, 1, 2n ** 53n, undefined],
    [-safe, -2, -(2n ** 53n) - 1n, undefined],
    [2n ** 53n, -1, safe, undefined],
    [most - 1n, 1, most, undefined],
    [most, 1, most, 'out_of_range'],
    [least, -5, least, 'out_of_range'],
    [most, most, most, 'out_of_range'],
    [1234567890123456789n, 1n, 1234567890123456790n, undefined],
    [null, 1234567890123456789n, 1234567890123456789n, undefined],
    [0.5, 1n, 1.5, undefined],
    [1e300, 1, 1e300, undefined],
    [1e17, -safe, 1e17 - safe, undefined],
  ])('of %p by %p is %p', (start, inc, v, reason) => {
    expect(take(start, { inc })).toEqual(reason === undefined ? { v } : { v, reason });
  });

  it('is exact as long as the sum is', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), { maxLength: 200 }), (all) => {
        const profile = all.reduce<Profile>(
          (whole, inc, index) =>
            fold(whole, [{ kind: 'step', name: 'n', step: { inc } }], 2000 + index, 0).profile,
          newProfile('p', 'demo', 1000),
        );
        const sum = all.reduce((total, inc) => total + BigInt(inc), 0n);
        expect(BigInt(Number(profile.custom[0]?.v ?? 0))).toBe(sum);
      }),
      { numRuns: 50 },
    );
  });
});

describe('an update of objects', () => {
  const update = (value: Value) => ({ update: [{ key: 'id', value, with: { id: 9 } }] });

  it('that finds nothing says so; the other changes are done', () => {
    expect(take([{ id: 1 }], { objects: update(2) })).toEqual({ v: [{ id: 1 }], reason: 'no_match' });
    expect(take([], { objects: update(2) })).toEqual({ v: [], reason: 'no_match' });
    expect(take(null, { objects: update(2) })).toEqual({ v: null, reason: 'no_match' });
    expect(take([{ id: 1 }], { objects: { add: [{ id: 3 }], ...update(2) } })).toEqual({
      v: [{ id: 1 }, { id: 3 }],
      reason: 'no_match',
    });
    const both = { update: [...update(1).update, ...update(2).update] };
    expect(take([{ id: 1 }], { objects: both })).toEqual({ v: [{ id: 9 }], reason: 'no_match' });
  });

  it('that finds an object is not noted, nor is a removal that finds none', () => {
    expect(take([{ id: 1 }], { objects: update(1) })).toEqual({ v: [{ id: 9 }] });
    expect(take([{ id: 1 }], { objects: { remove: [{ key: 'id', value: 2 }] } })).toEqual({ v: [{ id: 1 }] });
    expect(take(null, { objects: { remove: [{ key: 'id', value: 2 }] } })).toEqual({ v: null });
    expect(take(null, { objects: { update: [] } })).toEqual({ v: null });
  });
});

describe('a result that is too large', () => {
  const half = { a: 'x'.repeat(60_000) };

  it('has no effect, and says so', () => {
    expect(take(half, { merge: { b: 'x'.repeat(60_000) } })).toEqual({ v: half, reason: 'too_large' });
    expect(take([half], { objects: { add: [half] } })).toEqual({ v: [half], reason: 'too_large' });
    expect(take(half, { merge: { a: 'small' } })).toEqual({ v: { a: 'small' } });
  });
});

describe('the steps that are remembered', () => {
  const stepped = (steps: Stepping[]): Profile =>
    steps.reduce<Profile>(
      (whole, step, index) => fold(whole, [{ kind: 'step', name: 'x', step }], 2000 + index, 0).profile,
      newProfile('p', 'demo', 1000),
    );

  it('are at most so many', () => {
    const profile = stepped(Array.from({ length: 200 }, (_, index) => ({ merge: { [`m${index}`]: index } })));
    const attribute = profile.custom[0];
    expect(attribute?.steps).toHaveLength(mostSteps);
    expect(Object.keys(attribute?.v ?? {})).toHaveLength(200);
    expect(Object.keys(attribute?.base ?? {})).toHaveLength(200 - mostSteps);
  });

  it('take at most so many bytes', () => {
    const profile = stepped(
      Array.from({ length: 20 }, (_, index) => ({ merge: { [`m${index}`]: 'ä'.repeat(2000) } })),
    );
    const { steps = [], v } = profile.custom[0] ?? {};
    expect(Object.keys(v ?? {})).toHaveLength(20);
    expect(steps.length).toBeGreaterThan(3);
    expect(Buffer.byteLength(JSON.stringify(steps))).toBeLessThan(mostStepBytes + 1000);
  });

  it('are none when one alone is too large', () => {
    const [attribute] = stepped([{ merge: { a: 'x'.repeat(40_000) } }]).custom;
    expect(attribute).toEqual({ k: 'x', v: { a: 'x'.repeat(40_000) }, at: 0 });
  });

  it('give the same value, no matter how many of them were folded into the base', () => {
    fc.assert(
      fc.property(fc.array(steppings, { minLength: 60, maxLength: 200 }), (all) => {
        expect(text(stepped(all).custom[0]?.v)).toBe(text(all.reduce<Value>(model, null)));
      }),
      { numRuns: 50 },
    );
  });
});
