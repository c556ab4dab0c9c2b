import fc from 'fast-check';
import { foremost, type RankCandidate, rankCandidates } from './rank-candidates.ts';

const ids = (candidates: RankCandidate[]): string[] => rankCandidates(candidates).map(({ _id }) => _id);
const person = (_id: string, updated_at: number, more: Partial<RankCandidate> = {}): RankCandidate => ({
  _id,
  updated_at,
  ...more,
});

describe('several people with one email', () => {
  it.each([
    ['those with an external id first', [person('a', 9), person('b', 1, { external_id: 'bob' })], ['b', 'a']],
    [
      'the most recently updated first, by change, event or purchase',
      [person('a', 5), person('b', 1, { active_at: 7 }), person('c', 6)],
      ['b', 'c', 'a'],
    ],
    ['by service id where both are the same', [person('b', 5), person('a', 5)], ['a', 'b']],
  ])('are ordered: %s', (_, people, order) => expect(ids(people)).toEqual(order));

  it('does not depend on the order in which they were found', () => {
    const people = fc.uniqueArray(
      fc.record({
        _id: fc.string({ minLength: 1, maxLength: 2 }),
        updated_at: fc.nat(3),
        active_at: fc.nat(3),
      }),
      { selector: ({ _id }) => _id },
    );
    fc.assert(
      fc.property(
        people.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        ([all, shuffled]) => {
          expect(ids(shuffled)).toEqual(ids(all));
          expect(foremost(shuffled)?._id).toBe(ids(all)[0]);
        },
      ),
    );
  });
});
