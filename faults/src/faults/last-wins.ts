// T20: a caller who waits for each answer finds the last value, in every order of workers and retries.
import { openBook, type Sendable } from '../harness/book.ts';
import { lookAtColours, setColours } from '../harness/colours.ts';
import { unfinished } from '../harness/effects.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';

/** By each caller in each round; then all is applied, and all callers look. */
const sets = 20;

const attempt = async (trial: Trial, track: string): Promise<Findings> => {
  const rounds = trial.quick ? 5 : 25;
  const system = await trial.system({ trackWorkers: 3, instead: { track } });
  const book = openBook<Sendable>();
  const broken: string[] = [];
  const figures = { accepted: 0, looks: 0, 'wrong values': 0 };
  for (let round = 1; round <= rounds; round++) {
    await setColours(system, book, round, sets);
    broken.push(...(await unfinished(system, 30_000)));
    const look = await lookAtColours(system, round, sets);
    figures.looks += look.callers;
    figures['wrong values'] += look.wrong;
    broken.push(...look.broken);
  }
  broken.push(...imbalance(await reconcile({ accepted: book.accepted.values(), ...system })));
  return { figures: { ...figures, accepted: book.accepted.size }, broken };
};

export const lastWins = faultOf(attempt, 'track-flaky', 'track-flaky-unstamped', {
  name: 'last-wins',
  title: 'three workers, one turn in ten fails and is tried again: the last accepted value stands',
  without: 'a fold that ignores stamps',
  breaks: /find an older value/,
});
