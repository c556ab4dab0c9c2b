import { createWorldInMemory } from '@roster/testkit';
import { type Fate, fateAt, mostFates, type NewFate, withEnding } from './fate.ts';

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

  const [a, partB] = [
    { at: 10, to: 'a' },
    { at: 20, to: 'b', part: true as const },
  ];

  it.each<[what: string, before: Fate[], ending: NewFate, after: Fate[]]>([
    ['the first', [], a, [a]],
    ['one more', [a], partB, [a, partB]],
    ['the same again', [a], a, [a]],
    [
      'a service id, which no other person ever has',
      [a],
      { at: 20, to: 'b', forGood: true },
      [{ at: 20, to: 'b' }],
    ],
    ['a deletion of the next owner', [a], { at: 20, of: ['c'] }, [a, { at: 20 }]],
    ['a deletion from before they had it', [a], { at: 8, of: ['c'] }, [a]],
    [
      'a deletion of the next owners',
      [{ at: 5 }, a, { at: 12, to: 'b' }],
      { at: 8, of: ['c', 'a', 'b'] },
      [{ at: 5 }, { at: 8 }],
    ],
    [
      'a deletion of an owner from before the last fate',
      [{ at: 2 }, a],
      { at: 7, of: ['c'], since: 5 },
      [{ at: 2 }, { at: 4, to: 'a' }, { at: 7 }, a],
    ],
    [
      'a later deletion of such an owner',
      [a],
      { at: 12, of: ['c'], since: 5 },
      [{ at: 4, to: 'a' }, { at: 12 }],
    ],
    ['a deletion of an owner since the last fate', [a], { at: 20, of: ['c'], since: 15 }, [a, { at: 20 }]],
    ['a deletion from before the claim', [a], { at: 8, of: ['c'], since: 9 }, [a]],
    ['an older deletion after a younger one', [{ at: 10 }], { at: 8, of: ['c'] }, [{ at: 10 }]],
    ['an older deletion of a holder of an email after a younger one', [{ at: 10 }], { at: 8 }, [{ at: 10 }]],
    ['a deletion of a holder of an email', [a], { at: 8 }, [{ at: 8 }]],
  ])('takes in %s', (_, before, ending, after) => {
    expect(withEnding(before, ending)).toEqual(after);
  });

  it('forgets the oldest of too many', () => {
    const many = Array.from({ length: 40 }, (_, at) => ({ at: at + 1, to: `p${at}` }));
    const kept = many.reduce<Fate[]>(withEnding, []);
    expect(kept).toEqual(many.slice(-mostFates));
  });
});

it('lets nothing through after the deletion of a person who began while an earlier fate was under way', () => {
  let now = 10;
  const world = createWorldInMemory(() => now++);
  const named = (id: string) => ({ who: { by: 'external_id' as const, id } });
  world.track(1, { external_id: 'ada', first_name: 'First' });
  world.track(2, { external_id: 'eve', first_name: 'Eve' });
  world.identity(3, { do: 'merge', away: named('ada'), kept: named('eve') });
  world.identity(4, { do: 'delete', named: named('eve') });
  world.track(5, { external_id: 'ada', first_name: 'Second' });
  expect([...world.profiles.values()].map(({ fields }) => fields.first_name?.v)).toEqual(['Second']);
  world.identity(7, { do: 'delete', named: named('ada') });
  world.track(6, { external_id: 'ada', first_name: 'Late' });
  expect(world.profiles.size).toBe(0);
  world.track(8, { external_id: 'ada', first_name: 'Third' });
  expect(world.profiles.size).toBe(1);
});
