import { brokenIn, type Phase, type Round } from './neighbour.ts';

const aPhase = (phase: Partial<Phase> = {}): Phase => ({
  answered: [10],
  applied: [50],
  refused: [],
  waited: [{ pages: 100, sender: 900 }],
  ...phase,
});
const aRound = (loud: Partial<Phase>, quiet: Partial<Phase> = {}): Round => ({
  quiet: aPhase(quiet),
  loud: aPhase(loud),
});

describe('a neighbour', () => {
  it('may be answered five times later than usual, and within 250 ms', () => {
    expect(brokenIn(aRound({ answered: [50] }))).toEqual([]);
    expect(brokenIn(aRound({ answered: [51] }))).toHaveLength(1);
    expect(brokenIn(aRound({ answered: [249] }, { answered: [100] }))).toEqual([]);
    expect(brokenIn(aRound({ answered: [251] }, { answered: [100] }))).toHaveLength(1);
  });

  it('is applied within two seconds, and never refused', () => {
    expect(brokenIn(aRound({ applied: [2_001] }))).toHaveLength(1);
    expect(brokenIn(aRound({ refused: ['/users/track 503'] }))).toHaveLength(1);
  });

  it('gets pages and webhooks at most ten times later than alone, or within five seconds', () => {
    expect(brokenIn(aRound({ waited: [{ pages: 5_000, sender: 9_000 }] }))).toEqual([]);
    expect(brokenIn(aRound({ waited: [{ pages: 5_001, sender: 9_001 }] }))).toHaveLength(2);
  });

  it('gets each of them', () => {
    const lost = { pages: 100, sender: Number.POSITIVE_INFINITY };
    expect(brokenIn(aRound({ waited: [lost, { pages: 100, sender: 900 }] }))).toEqual([
      '1 of 2 times nothing came from sender',
    ]);
  });

  it('has a broken promise when nothing was answered', () => {
    expect(brokenIn(aRound({ answered: [] }))).toHaveLength(1);
  });
});
