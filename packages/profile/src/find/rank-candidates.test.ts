import fc from 'fast-check';
import { foremost, type RankCandidate, rankCandidates } from './rank-candidates.ts';

const ids = (candidates: RankCandidate[]): string[] => rankCandidates(candidates).map(({ _id }) => _id);

describe('several people with one email', () => {
  it('puts those with an external id first', () => {
    expect(
      ids([
        { _id: 'a', updated_at: 9 },
        { _id: 'b', updated_at: 1, external_id: 'bob' },
      ]),
    ).toEqual(['b', 'a']);
  });

  it('puts the most recently updated first, by change, event or purchase', () => {
    expect(
      ids([
        { _id: 'a', updated_at: 5 },
        { _id: 'b', updated_at: 1, active_at: 7 },
        { _id: 'c', updated_at: 6 },
      ]),
    ).toEqual(['b', 'c', 'a']);
  });

  it('settles ties by service id', () => {
    expect(
      ids([
        { _id: 'b', updated_at: 5 },
        { _id: 'a', updated_at: 5 },
      ]),
    ).toEqual(['a', 'b']);
  });

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
