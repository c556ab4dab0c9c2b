import fc from 'fast-check';
import { type FieldName, newProfile, type Profile, type Stepping, type Value } from '../profile.ts';
import type { ProfileChange } from '../reading/change.ts';
import { mostSteps } from './custom-attribute.ts';
import { fold } from './fold.ts';

/** What each entry of a request asks for. */
interface Request {
  at: number;
  entries: ProfileChange[][];
}

const blank = newProfile('p', 'demo', 1000);

const foldAll = (requests: readonly Request[], from: Profile = blank): Profile =>
  requests.reduce(
    (whole, { entries, at }) =>
      entries.reduce((profile, changes, n) => fold(profile, changes, at, n).profile, whole),
    from,
  );

type Asked = [at: number, ...changes: ProfileChange[]];

/** Requests whose entries have one change each. */
const folded = (...all: readonly Asked[]): Profile =>
  foldAll(all.map(([at, ...changes]) => ({ at, entries: changes.map((change) => [change]) })));

const byKey = (a: { k: string }, b: { k: string }) => (a.k < b.k ? -1 : 1);

/**
 * Attributes and consents are in the order of arrival; that order means nothing. For contacts see the laws of consent. Which of the last
 * changes are remembered depends on when the contact came.
 */
const tidied = ({ contacts: _, contacts_at: __, ...profile }: Profile) => ({
  ...profile,
  custom: profile.custom.toSorted(byKey),
  consents: profile.consents.toSorted(byKey),
});

/** Without `since` and `other` of contacts: these have laws of their own. */
const withoutSince = ({ email, phone, ...fields }: Profile['fields']) => ({
  ...fields,
  ...(email && { email: { ...email, since: undefined } }),
  ...(phone && { phone: { ...phone, since: undefined } }),
});

const custom = (profile: Profile, name: string): Value | undefined =>
  profile.custom.find(({ k }) => k === name)?.v;

const set = (name: string, value: Value): ProfileChange => ({ kind: 'set', name, value });
const step = (name: string, stepping: Stepping): ProfileChange => ({ kind: 'step', name, step: stepping });
const increment = (name: string, by: number): ProfileChange => step(name, { inc: by });
const field = (name: FieldName, value: Value): ProfileChange => ({ kind: 'field', name, value });

const names = fc.constantFrom('visits', 'colour', '__proto__', 'constructor', 'a.b', '$x');
const scalars = fc.oneof(fc.string(), fc.integer({ min: -1000, max: 1000 }), fc.boolean());
const few = fc.constantFrom<Value>('a', 'b', 'c', 1, 2, '1', true);
const members = fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'toString', ''), few, {
  maxKeys: 3,
  noNullPrototype: true,
});
const nested = fc.dictionary(fc.constantFrom('x', 'y', '__proto__'), fc.oneof(few, members), {
  maxKeys: 3,
  noNullPrototype: true,
});
const values: fc.Arbitrary<Value> = fc.oneof(
  scalars,
  fc.constant(null),
  fc.uniqueArray(few),
  fc.array(members, { maxLength: 3 }),
  nested,
);
const which = fc.record({ key: fc.constantFrom('a', '__proto__', 'toString'), value: few });
const steppings: fc.Arbitrary<Stepping> = fc.oneof(
  fc.record({ inc: fc.integer({ min: -99, max: 99 }) }),
  fc.record({ add: fc.array(few), remove: fc.array(few), most: fc.constantFrom(3, 25) }),
  fc.record({ remove: fc.array(few) }),
  fc.record({ merge: nested }),
  fc.record({
    objects: fc.record(
      {
        add: fc.array(members, { maxLength: 2 }),
        remove: fc.array(which, { maxLength: 2 }),
        update: fc.array(
          fc.tuple(which, members).map(([one, next]) => ({ ...one, with: next })),
          { maxLength: 2 },
        ),
        merge: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  }),
);
const increments = fc.record({
  kind: fc.constant('step' as const),
  name: names,
  step: fc.record({ inc: fc.integer({ min: -99, max: 99 }) }),
});
const items = fc.array(
  fc.record({
    k: fc.constantFrom('1', '2', '3'),
    v: fc.record({ device_id: fc.constantFrom('d1', 'd2', 'd3') }),
  }),
  { maxLength: 3 },
);
const changes: fc.Arbitrary<ProfileChange> = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), name: names, value: values }),
  fc.record({ kind: fc.constant('step' as const), name: names, step: steppings }),
  increments,
  fc.record({
    kind: fc.constant('field' as const),
    name: fc.constantFrom<FieldName>('first_name', 'email', 'phone'),
    value: fc.constantFrom('a@b.co', ' A@B.co', 'c@d.co', null),
  }),
  fc.record({
    kind: fc.constant('consent' as const),
    k: fc.constantFrom('email', 'push', 'group:1'),
    v: fc.constantFrom('opted_in' as const, 'subscribed' as const, 'unsubscribed' as const, null),
  }),
  fc.record({
    kind: fc.constant('list' as const),
    name: fc.constantFrom('devices' as const, 'push_tokens' as const, 'apps' as const),
    items: fc.oneof({ weight: 3, arbitrary: items }, { weight: 1, arbitrary: fc.constant(null) }),
  }),
);
const requests = (change: fc.Arbitrary<ProfileChange>, maxLength = 12): fc.Arbitrary<Request[]> =>
  fc
    .array(fc.array(fc.array(change, { minLength: 1, maxLength: 1 }), { minLength: 1, maxLength: 4 }), {
      maxLength,
    })
    .map((all) => all.map((entries, index) => ({ at: 2000 + index, entries })));
const twoOrders = (change: fc.Arbitrary<ProfileChange>, maxLength?: number) =>
  requests(change, maxLength).chain((inOrder) =>
    fc.tuple(fc.constant(inOrder), fc.shuffledSubarray(inOrder, { minLength: inOrder.length })),
  );

describe('fold, as laws', () => {
  it('gives the same profile for every order of the requests', () => {
    fc.assert(
      fc.property(twoOrders(changes), ([inOrder, shuffled]) => {
        const [one, other] = [tidied(foldAll(inOrder)), tidied(foldAll(shuffled))];
        expect({ ...other, fields: withoutSince(other.fields) }).toEqual({
          ...one,
          fields: withoutSince(one.fields),
        });
        expect(JSON.stringify(other.custom)).toBe(JSON.stringify(one.custom));
      }),
      { numRuns: 2000 },
    );
  });

  it('changes nothing when a request is repeated', () => {
    fc.assert(
      fc.property(requests(changes), fc.infiniteStream(fc.nat()), (all, places) => {
        const repeated = all.flatMap((request, index) => {
          const earlier = all[(places.next().value ?? 0) % (index + 1)];
          return earlier ? [request, earlier] : [request];
        });
        expect(tidied(foldAll(repeated))).toEqual(tidied(foldAll(all)));
      }),
      { numRuns: 1000 },
    );
  });

  it('adds up increments in every order, however many there are', () => {
    fc.assert(
      fc.property(twoOrders(increments, 150), ([, shuffled]) => {
        const sums = new Map<string, number>();
        for (const change of shuffled.flatMap(({ entries }) => entries.flat())) {
          if (change.kind !== 'step' || !('inc' in change.step)) continue;
          sums.set(change.name, (sums.get(change.name) ?? 0) + Number(change.step.inc));
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
        const last: ProfileChange[] = [
          set('colour', 'last'),
          field('first_name', 'Last'),
          { kind: 'consent', k: 'email', v: null },
        ];
        const profile = foldAll([...all, { at: 3000, entries: [last] }]);
        const later = foldAll([{ at: 2999, entries: [older] }], profile);
        expect(later.fields.first_name).toEqual({ v: 'Last', at: 3000 });
        expect(later.consents.find(({ k }) => k === 'email')).toMatchObject({ v: null, at: 3000 });
        expect(custom(later, 'colour')).toBe('last');
      }),
    );
  });

  it('leaves what it was given as it was', () => {
    fc.assert(
      fc.property(requests(changes), fc.array(changes), (all, more) => {
        const profile = foldAll(all);
        const before = structuredClone(profile);
        fold(profile, more, 5000, 0);
        expect(profile).toEqual(before);
      }),
    );
  });

  it('keeps the keys that find the person up to date', () => {
    fc.assert(
      fc.property(requests(changes), (all) => {
        const { fields, lists, email_key, device_keys, token_keys } = foldAll(all);
        const email = fields.email?.v;
        expect(email_key).toBe(typeof email === 'string' ? email.trim().toLowerCase() : undefined);
        const devices = [...(lists.devices?.items ?? []), ...(lists.push_tokens?.items ?? [])];
        expect(device_keys ?? []).toEqual([...new Set(devices.map(({ v }) => v.device_id))].toSorted());
        expect(token_keys ?? []).toEqual((lists.push_tokens?.items ?? []).map(({ k }) => k).toSorted());
      }),
    );
  });
});

describe('fold', () => {
  it('lets the later entry of one request win', () => {
    const profile = folded([
      2000,
      set('colour', 'red'),
      field('first_name', 'Ada'),
      set('colour', 'blue'),
      field('first_name', 'Eva'),
    ]);
    expect(custom(profile, 'colour')).toBe('blue');
    expect(profile.fields.first_name?.v).toBe('Eva');
  });

  it('counts both increments of one request, and each once when it is repeated', () => {
    const request: Asked = [2000, increment('visits', 1), increment('visits', 2)];
    expect(custom(folded(request), 'visits')).toBe(3);
    expect(custom(folded(request, request), 'visits')).toBe(3);
  });

  it('keeps the order within one request: a set after an increment replaces it, one before is added to', () => {
    expect(custom(folded([2000, increment('n', 5), set('n', 10)]), 'n')).toBe(10);
    expect(custom(folded([2000, set('n', 10), increment('n', 5)]), 'n')).toBe(15);
  });

  it('keeps only increments that are later than a set that arrives late', () => {
    const profile = folded([2001, increment('n', 1)], [2003, increment('n', 4)], [2002, set('n', 100)]);
    expect(custom(profile, 'n')).toBe(104);
  });

  it('starts counting from 0 after a removal, and an older set does not come back', () => {
    const removal: Asked[] = [
      [2002, set('n', null)],
      [2001, set('n', 7)],
    ];
    expect(custom(folded(...removal), 'n')).toBeNull();
    expect(custom(folded(...removal, [2003, increment('n', 2)]), 'n')).toBe(2);
  });

  it('keeps increments of a value that is no number without effect, and notes it', () => {
    const text = folded([2001, set('n', 'many')]);
    const { profile, notes } = fold(text, [increment('n', 2)], 2003, 0);
    expect(custom(profile, 'n')).toBe('many');
    expect(notes).toEqual([{ field: 'n', reason: 'not_a_number' }]);
    expect(custom(fold(profile, [set('n', 1)], 2002, 0).profile, 'n')).toBe(3);
  });

  it('remembers a bounded number of increments', () => {
    const many = Array.from({ length: 1000 }, (_, n): Asked => [2000 + n, increment('n', 1)]);
    const profile = folded(...many);
    expect(custom(profile, 'n')).toBe(1000);
    expect(profile.custom[0]?.steps).toHaveLength(mostSteps);
    expect(custom(folded(...many, [1500, increment('n', 1)]), 'n')).toBe(1001);
  });

  it('finds attributes among many changes as among few', () => {
    const some = Array.from({ length: 40 }, (_, index) => set(`n${index % 25}`, index));
    const before = fold(blank, [set('n3', 'old'), set('n99', 'old')], 2000, 0).profile;
    const whole = fold(before, some, 2001, 0).profile;
    const single = some.reduce((profile, change) => fold(profile, [change], 2001, 0).profile, before);
    expect(whole).toEqual(single);
    expect(whole.custom).toHaveLength(26);
  });

  it('ignores a value that is too large as if it had never come', () => {
    const before = folded([2000, set('n', { a: 1 })]);
    const { profile, notes } = fold(before, [set('n', { a: 'x'.repeat(102_400) })], 2001, 0);
    expect(custom(profile, 'n')).toEqual({ a: 1 });
    expect(notes).toEqual([{ field: 'n', reason: 'too_large' }]);
  });

  it('stores an email as given and finds by its compared form', () => {
    const given: Asked = [2000, field('email', ' Ada@Example.com')];
    expect(folded(given).fields.email?.v).toBe(' Ada@Example.com');
    expect(folded(given).email_key).toBe('ada@example.com');
    expect(folded(given, [2001, field('email', null)])).not.toHaveProperty('email_key');
  });
});

describe('an email that is sent again', () => {
  const sent = (...all: [at: number, email: string | null][]) =>
    folded(...all.map(([at, email]): Asked => [at, field('email', email)])).fields.email;

  it('is there since it was sent first, in every spelling and order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 2000, max: 3000 }), { minLength: 2 }), (stamps) => {
        const email = sent(...stamps.map((at): [number, string] => [at, at % 2 ? 'a@b.co' : ' A@b.co']));
        expect(email).toEqual({ v: expect.any(String), at: Math.max(...stamps), since: Math.min(...stamps) });
      }),
    );
  });

  it('is never there for longer than it was, also with late requests', () => {
    const history = fc
      .array(fc.constantFrom('a@b.co', 'A@b.co', 'c@d.co', null), { minLength: 1, maxLength: 8 })
      .map((all) => all.map((email, index): [number, string | null] => [2000 + index, email]));
    fc.assert(
      fc.property(
        history.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        ([inOrder, shuffled]) => {
          const truth = inOrder.findLastIndex(
            ([, email], index) =>
              email?.toLowerCase() !== inOrder[index + 1]?.[1]?.toLowerCase() && index < inOrder.length - 1,
          );
          const email = sent(...shuffled);
          expect(sent(...inOrder)?.since ?? sent(...inOrder)?.at).toBe(2000 + truth + 1);
          expect(email?.since ?? email?.at).toBeGreaterThanOrEqual(2000 + truth + 1);
        },
      ),
    );
  });

  it('starts anew after another one', () => {
    const anew = { v: 'a@b.co', at: 2002, other: 2001 };
    expect(sent([2000, 'a@b.co'], [2001, 'c@d.co'], [2002, 'a@b.co'])).toEqual(anew);
    expect(sent([2000, 'a@b.co'], [2001, null], [2002, 'a@b.co'])).toEqual(anew);
    expect(sent([2000, 'a@b.co'], [2002, 'a@b.co'], [2001, 'c@d.co'])).toEqual(anew);
    expect(sent([2001, 'c@d.co'], [2002, 'a@b.co'], [2000, 'a@b.co'])).toEqual(anew);
  });
});
