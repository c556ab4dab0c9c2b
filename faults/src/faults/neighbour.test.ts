import { brokenIn, type Phase } from './neighbour.ts';

const aPhase = (phase: Partial<Phase> = {}): Phase => ({
  answered: [10],
  applied: [50],
  refused: [],
  waited: [{ pages: 100, sender: 900 }],
  ...phase,
});
describe('a neighbour', () => {
  it.each<[what: string, broken: number, loud: Partial<Phase>, quiet?: Partial<Phase>]>([
    ['is answered five times later than usual', 0, { answered: [50] }],
    ['is answered later than that', 1, { answered: [51] }],
    ['is answered within 250 ms', 0, { answered: [249] }, { answered: [100] }],
    ['is answered later than within 250 ms', 1, { answered: [251] }, { answered: [100] }],
    ['is applied after two seconds', 1, { applied: [2_001] }],
    ['is refused', 1, { refused: ['/users/track 503'] }],
    ['waits ten times longer than alone, or five seconds', 0, { waited: [{ pages: 5_000, sender: 9_000 }] }],
    ['waits longer than that', 2, { waited: [{ pages: 5_001, sender: 9_001 }] }],
    ['gets no answer', 1, { answered: [] }],
  ])('%s: %i broken promises', (_, broken, loud, quiet = {}) =>
    expect(brokenIn({ quiet: aPhase(quiet), loud: aPhase(loud) })).toHaveLength(broken),
  );

  it('gets each page and webhook', () => {
    const lost = { pages: 100, sender: Number.POSITIVE_INFINITY };
    const loud = aPhase({ waited: [lost, { pages: 100, sender: 900 }] });
    expect(brokenIn({ quiet: aPhase(), loud })).toEqual(['1 of 2 times nothing came from sender']);
  });
});
