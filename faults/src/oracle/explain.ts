/** Whether some legal order of the operations ends in what was seen. */
import { apply, type Operation } from './model.ts';
import { type Changes, noChanges, ranked } from './ranks.ts';
import type { Ref, State } from './state.ts';
import { writtenAll } from './written.ts';

export interface Step {
  operation: Operation;
  /** Places of the steps that were answered before this one was sent. */
  after: readonly number[];
  /** It was never answered, so it may have happened or not. */
  perhaps: boolean;
}

export interface Seen {
  /** The names that were asked for. */
  asked: readonly Ref[];
  /** All people found, in the words of the model. */
  people: string;
}

export interface Explanation {
  /** The order found, as places; undefined when there is none. */
  order?: number[];
  /** How many pairs of done steps and state were looked at. */
  states: number;
}

const mostStates = 200_000;

interface Options {
  /** Of requests that were under way at the same time, any may have changed a person last. Without it, the order of the effects says that, too. */
  openRanks?: boolean;
}

/** Depth first over what is left, never twice through the same state with the same rest. */
export const explain = (
  initial: State,
  steps: readonly Step[],
  { asked, people }: Seen,
  { openRanks = false }: Options = {},
): Explanation => {
  const visited = new Set<string>();
  const before = (place: number): readonly number[] => steps[place]?.after ?? [];
  const needs = steps.map(({ after }) => after.reduce((mask, place) => mask | (1 << place), 0));
  const all = (1 << steps.length) - 1;

  const nextOf = (state: State, changes: Changes, place: number): [State, Changes][] => {
    const { operation, perhaps } = steps[place] as Step;
    const take = (given: State): State => apply(given, operation);
    const next: [State, Changes][] = openRanks
      ? ranked(state, changes, { place, before, take })
      : [[take(state), changes]];
    return perhaps ? [...next, [state, changes]] : next;
  };

  const search = (done: number, state: State, changes: Changes, order: number[]): number[] | undefined => {
    if (done === all) return writtenAll(state, asked) === people ? order : undefined;
    const ranks = openRanks ? state.people.map((person) => changes.get(person)) : [];
    const key = `${done}:${JSON.stringify([state, ranks])}`;
    if (visited.has(key) || visited.size >= mostStates) return undefined;
    visited.add(key);
    for (const place of steps.keys()) {
      const bit = 1 << place;
      const need = needs[place] ?? 0;
      if ((done & bit) !== 0 || (done & need) !== need) continue;
      for (const [next, then] of nextOf(state, changes, place)) {
        const found = search(done | bit, next, then, [...order, place]);
        if (found) return found;
      }
    }
    return undefined;
  };

  const order = search(0, initial, noChanges(initial), []);
  return { ...(order && { order }), states: visited.size };
};
