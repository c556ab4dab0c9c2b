import { type Ending, type Fate, fateAt, mostFates, withEnding } from './fate.ts';

describe('the fates of an identifier', () => {
  const history: Fate[] = [{ at: 10, to: 'p1' }, { at: 20 }, { at: 30, to: 'p3' }];

  it.each([
    [5, history[0]],
    [10, history[0]],
    [11, history[1]],
    [20, history[1]],
    [21, history[2]],
    [30, history[2]],
    [31, undefined],
  ])('counts for the requests of its time: %i', (stamp, fate) => {
    expect(fateAt(history, stamp)).toEqual(fate);
  });

  it.each<[what: string, before: Fate[], ending: Ending, after: Fate[]]>([
    ['the first', [], { at: 10, to: 'a' }, [{ at: 10, to: 'a' }]],
    [
      'one more',
      [{ at: 10, to: 'a' }],
      { at: 20, to: 'b', part: true },
      [
        { at: 10, to: 'a' },
        { at: 20, to: 'b', part: true },
      ],
    ],
    ['the same again', [{ at: 10, to: 'a' }], { at: 10, to: 'a' }, [{ at: 10, to: 'a' }]],
    [
      'a service id, which no other person ever has',
      [{ at: 10, to: 'a' }],
      { at: 20, to: 'b', forGood: true },
      [{ at: 20, to: 'b' }],
    ],
    [
      'a deletion of the next owner',
      [{ at: 10, to: 'a' }],
      { at: 20, of: ['c'] },
      [{ at: 10, to: 'a' }, { at: 20 }],
    ],
    [
      'a deletion from before they had it',
      [{ at: 10, to: 'a' }],
      { at: 8, of: ['c'] },
      [{ at: 10, to: 'a' }],
    ],
    [
      'a deletion of the next owners',
      [{ at: 5 }, { at: 10, to: 'a' }, { at: 12, to: 'b' }],
      { at: 8, of: ['c', 'a', 'b'] },
      [{ at: 5 }, { at: 8 }],
    ],
    ['an older deletion after a younger one', [{ at: 10 }], { at: 8, of: ['c'] }, [{ at: 10 }]],
    ['an older deletion of a holder of an email after a younger one', [{ at: 10 }], { at: 8 }, [{ at: 10 }]],
    ['a deletion of a holder of an email', [{ at: 10, to: 'a' }], { at: 8 }, [{ at: 8 }]],
  ])('takes in %s', (_, before, ending, after) => {
    expect(withEnding(before, ending)).toEqual(after);
  });

  it('forgets the oldest of too many', () => {
    const many = Array.from({ length: 40 }, (_, at) => ({ at: at + 1, to: `p${at}` }));
    const kept = many.reduce<Fate[]>(withEnding, []);
    expect(kept).toEqual(many.slice(-mostFates));
  });
});
