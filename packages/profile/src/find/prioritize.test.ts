import fc from 'fast-check';
import { type Preference, prioritized, type RankCandidate } from './prioritize.ts';

/** Two with an external id, two without; the one with the odd number was updated later. */
const people: RankCandidate[] = [
  { _id: 'i1', external_id: 'one', updated_at: 40 },
  { _id: 'i2', external_id: 'two', updated_at: 10 },
  { _id: 'u1', updated_at: 30 },
  { _id: 'u2', updated_at: 20 },
];
const identified = people.slice(0, 2);
const unidentified = people.slice(2);

const ids = (
  candidates: readonly RankCandidate[],
  preferences: readonly Preference[],
  activity: Record<string, number> = {},
): string =>
  prioritized(candidates, preferences, (id) => activity[id] ?? 0)
    .map(({ _id }) => _id)
    .join(' ');

const [i, u, most, least] = [
  'identified',
  'unidentified',
  'most_recently_updated',
  'least_recently_updated',
] as const;

describe('prioritized', () => {
  it.each<[Preference[], string, string, string]>([
    [[], 'i1 i2 u1 u2', 'i1 i2', 'u1 u2'],
    [[i], 'i1 i2', 'i1 i2', 'u1 u2'],
    [[u], 'u1 u2', 'i1 i2', 'u1 u2'],
    [[most], 'i1', 'i1', 'u1'],
    [[least], 'i2', 'i2', 'u2'],
    [[i, most], 'i1', 'i1', 'u1'],
    [[i, least], 'i2', 'i2', 'u2'],
    [[u, most], 'u1', 'i1', 'u1'],
    [[u, least], 'u2', 'i2', 'u2'],
    [[most, i], 'i1', 'i1', 'u1'],
    [[most, u], 'i1', 'i1', 'u1'],
    [[least, i], 'i2', 'i2', 'u2'],
    [[least, u], 'i2', 'i2', 'u2'],
    [[most, least], 'i1', 'i1', 'u1'],
    [[least, most], 'i2', 'i2', 'u2'],
    [[i, most, least], 'i1', 'i1', 'u1'],
    [[u, least, most], 'u2', 'i2', 'u2'],
  ])('%j: of all %s, of the identified %s, of the unidentified %s', (preferences, all, known, unknown) => {
    expect(ids(people, preferences)).toBe(all);
    expect(ids(people.toReversed(), preferences).split(' ').toSorted().join(' ')).toBe(all);
    expect(ids(identified, preferences)).toBe(known);
    expect(ids(unidentified, preferences)).toBe(unknown);
  });

  it.each<Preference[]>([[], [i], [u], [most], [least], [i, most]])(
    'no people stay no people: %s',
    (...preferences) => {
      expect(ids([], preferences)).toBe('');
    },
  );

  it('counts the last event or purchase as an update', () => {
    expect(ids(people, [most], { u2: 50 })).toBe('u2');
    expect(ids(people, [i, most], { u2: 50 })).toBe('i1');
    expect(ids(people, [least], { i2: 50 })).toBe('u2');
  });

  it('breaks ties by service id, in both directions', () => {
    const same = people.map((one) => ({ ...one, updated_at: 1 }));
    expect(ids(same, [most])).toBe('i1');
    expect(ids(same, [least])).toBe('i1');
    expect(ids(same.toReversed(), [u, most])).toBe('u1');
  });

  it('does not depend on the order in which they were found', () => {
    const some = fc.uniqueArray(
      fc.record({
        _id: fc.string({ minLength: 1, maxLength: 2 }),
        updated_at: fc.nat(3),
        active_at: fc.nat(3),
      }),
      { selector: ({ _id }) => _id },
    );
    fc.assert(
      fc.property(
        some.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          const activity = new Map(all.map(({ _id, active_at }) => [_id, active_at]));
          const first = (some: readonly RankCandidate[], count: number) =>
            prioritized(some, [i, most], (id) => activity.get(id) ?? 0, { most: count }).map(
              ({ _id }) => _id,
            );
          expect(first(shuffled, all.length)).toEqual(first(all, all.length));
          expect(first(shuffled, 1)).toEqual(first(all, all.length).slice(0, 1));
        },
      ),
    );
  });

  it('compares only so many of the latest', () => {
    const [first] = prioritized(people, [most], (id) => (id === 'i2' ? 50 : 0), { contenders: 2 });
    expect(first?._id).toBe('i1');
  });

  it('asks for activity only when it decides', () => {
    const asked: string[] = [];
    const note = (id: string): number => asked.push(id);
    prioritized(people, [i], note);
    prioritized([people[0] as RankCandidate], [most], note);
    expect(asked).toEqual([]);
    prioritized(people, [u, most], note);
    expect(asked).toEqual(['u1', 'u2']);
  });
});
