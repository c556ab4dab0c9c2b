import fc from 'fast-check';
import type { Change } from './change.ts';
import { mostIncrements } from './custom-attribute.ts';
import { fold } from './fold.ts';
import { type FieldName, newProfile, type Profile, type Value } from './profile.ts';

interface Request {
  at: number;
  changes: Change[];
}

const nobody = newProfile('p', 'demo', 1000);

const foldAll = (requests: readonly Request[], from: Profile = nobody): Profile =>
  requests.reduce((profile, { changes, at }) => fold(profile, changes, at).profile, from);

/** The list is in the order of arrival; that order means nothing. */
const tidied = (profile: Profile) => ({
  ...profile,
  custom: profile.custom.toSorted((a, b) => (a.k < b.k ? -1 : 1)),
});

const custom = (profile: Profile, name: string): Value | undefined =>
  profile.custom.find(({ k }) => k === name)?.v;

const set = (name: string, value: Value): Change => ({ kind: 'set', name, value });
const increment = (name: string, by: number): Change => ({ kind: 'increment', name, by });
const field = (name: FieldName, value: Value): Change => ({ kind: 'field', name, value });

const names = fc.constantFrom('visits', 'colour', '__proto__', 'constructor', 'a.b', '$x');
const values = fc.oneof(fc.string(), fc.integer({ min: -1000, max: 1000 }), fc.boolean(), fc.constant(null));
const increments = fc.record({
  kind: fc.constant('increment' as const),
  name: names,
  by: fc.integer({ min: -99, max: 99 }),
});
const changes = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), name: names, value: values }),
  increments,
  fc.record({
    kind: fc.constant('field' as const),
    name: fc.constantFrom<FieldName>('first_name', 'email', 'phone'),
    value: fc.oneof(fc.string(), fc.constant(null)),
  }),
);
const requests = (change: fc.Arbitrary<Change>, maxLength = 12): fc.Arbitrary<Request[]> =>
  fc
    .array(fc.array(change, { minLength: 1, maxLength: 4 }), { maxLength })
    .map((all) => all.map((some, index) => ({ at: 2000 + index, changes: some })));
const twoOrders = (change: fc.Arbitrary<Change>, maxLength?: number) =>
  requests(change, maxLength).chain((inOrder) =>
    fc.tuple(fc.constant(inOrder), fc.shuffledSubarray(inOrder, { minLength: inOrder.length })),
  );

describe('fold, as laws', () => {
  it('gives the same profile in whatever order the requests come', () => {
    fc.assert(
      fc.property(twoOrders(changes), ([inOrder, shuffled]) => {
        expect(tidied(foldAll(shuffled))).toEqual(tidied(foldAll(inOrder)));
      }),
      { numRuns: 500 },
    );
  });

  it('adds up increments in whatever order they come, however many there are', () => {
    fc.assert(
      fc.property(twoOrders(increments, 150), ([inOrder, shuffled]) => {
        const sums = new Map<string, number>();
        for (const { name, by } of inOrder.flatMap(
          (request) => request.changes as { name: string; by: number }[],
        )) {
          sums.set(name, (sums.get(name) ?? 0) + by);
        }
        const profile = foldAll(shuffled);
        for (const [name, sum] of sums) expect(custom(profile, name)).toBe(sum);
      }),
      { numRuns: 50 },
    );
  });

  it('never lets an older value win', () => {
    fc.assert(
      fc.property(requests(changes), fc.array(changes), (all, older) => {
        const profile = foldAll([
          ...all,
          { at: 3000, changes: [set('colour', 'last'), field('first_name', 'Last')] },
        ]);
        const later = foldAll([{ at: 2999, changes: older }], profile);
        expect(later.fields.first_name).toEqual({ v: 'Last', at: 3000 });
        expect(custom(later, 'colour')).toBe('last');
      }),
    );
  });

  it('leaves what it was given as it was', () => {
    fc.assert(
      fc.property(requests(changes), fc.array(changes), (all, more) => {
        const profile = foldAll(all);
        const before = structuredClone(profile);
        fold(profile, more, 5000);
        expect(profile).toEqual(before);
      }),
    );
  });
});

describe('fold', () => {
  it('lets the later entry of one request win', () => {
    const profile = foldAll([
      { at: 2000, changes: [set('colour', 'red'), field('first_name', 'Ada')] },
      { at: 2000, changes: [set('colour', 'blue'), field('first_name', 'Eva')] },
    ]);
    expect(custom(profile, 'colour')).toBe('blue');
    expect(profile.fields.first_name?.v).toBe('Eva');
  });

  it('counts both increments of one request', () => {
    expect(
      custom(foldAll([{ at: 2000, changes: [increment('visits', 1), increment('visits', 2)] }]), 'visits'),
    ).toBe(3);
  });

  it('keeps the order within one request: a set after an increment replaces it, one before is added to', () => {
    expect(custom(foldAll([{ at: 2000, changes: [increment('n', 5), set('n', 10)] }]), 'n')).toBe(10);
    expect(custom(foldAll([{ at: 2000, changes: [set('n', 10), increment('n', 5)] }]), 'n')).toBe(15);
  });

  it('keeps only increments that are later than a set that arrives late', () => {
    const profile = foldAll([
      { at: 2001, changes: [increment('n', 1)] },
      { at: 2003, changes: [increment('n', 4)] },
      { at: 2002, changes: [set('n', 100)] },
    ]);
    expect(custom(profile, 'n')).toBe(104);
  });

  it('starts counting from 0 after a removal, and an older set does not come back', () => {
    const removed = foldAll([
      { at: 2002, changes: [set('n', null)] },
      { at: 2001, changes: [set('n', 7)] },
    ]);
    expect(custom(removed, 'n')).toBeNull();
    expect(custom(foldAll([{ at: 2003, changes: [increment('n', 2)] }], removed), 'n')).toBe(2);
  });

  it('keeps increments of what is no number without effect, and says so', () => {
    const text = foldAll([{ at: 2001, changes: [set('n', 'many')] }]);
    const { profile, notes } = fold(text, [increment('n', 2)], 2003);
    expect(custom(profile, 'n')).toBe('many');
    expect(notes).toEqual([{ field: 'n', reason: 'not_a_number' }]);
    expect(custom(foldAll([{ at: 2002, changes: [set('n', 1)] }], profile), 'n')).toBe(3);
  });

  it('remembers a bounded number of increments', () => {
    const many = Array.from({ length: 1000 }, (_, index) => ({
      at: 2000 + index,
      changes: [increment('n', 1)],
    }));
    const profile = foldAll(many);
    expect(custom(profile, 'n')).toBe(1000);
    expect(profile.custom[0]?.incs).toHaveLength(mostIncrements);
    expect(custom(foldAll([{ at: 1500, changes: [increment('n', 1)] }], profile), 'n')).toBe(1001);
  });

  it('stores an email as given and finds by its compared form', () => {
    const profile = foldAll([{ at: 2000, changes: [field('email', ' Ada@Example.com')] }]);
    expect(profile.fields.email?.v).toBe(' Ada@Example.com');
    expect(profile.email_key).toBe('ada@example.com');
    expect(foldAll([{ at: 2001, changes: [field('email', null)] }], profile)).not.toHaveProperty('email_key');
  });
});
