import { createLoadBudget, type Session } from '@roster/store';
import { type PlanningRule, planInRounds } from './rounds.ts';

const session = undefined as unknown as Session;
const budget = createLoadBudget(1000, { mayCut: false, wholeUpTo: 100 });

/** Is ready once it knows so many numbers, of which each round loads the next. */
const counting = (enough: number): PlanningRule<string, number[], number, { ready: true; sum: number }> => ({
  load: async () => [],
  loadMore: async (_session, known, next) => [...known, next],
  plan: (_requests, known) =>
    known.length < enough
      ? { ready: false, needs: known.length + 1 }
      : { ready: true, sum: known.reduce((sum, n) => sum + n, 0) },
});

describe('planning', () => {
  it('loads what it finds missing, round by round', async () => {
    expect(await planInRounds(counting(0), session, [], budget)).toEqual({ ready: true, sum: 0 });
    expect(await planInRounds(counting(100), session, [], budget)).toEqual({ ready: true, sum: 5050 });
  });

  it('ends when a rule never has enough', async () => {
    await expect(planInRounds(counting(Number.POSITIVE_INFINITY), session, [], budget)).rejects.toThrow(
      'planning needs more than 500 rounds',
    );
  });
});
