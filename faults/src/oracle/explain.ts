/** Whether some legal order of the operations ends in what was seen. */
import { apply, type Operation } from './model.ts';
import { ranked } from './ranks.ts';
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
  /** Any of the people who share a contact may have been changed last (docs/adr/order.md). Without it, the order of the effects says that, too. */
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
  const needs = steps.map(({ after }) => after.reduce((mask, place) => mask | (1 << place), 0));
  const all = (1 << steps.length) - 1;

  const nextOf = (state: State, place: number): State[] => {
    const { operation, perhaps } = steps[place] as Step;
    const next = (openRanks ? ranked(state, operation) : [state]).map((one) => apply(one, operation));
    return perhaps ? [...next, state] : next;
  };

  /** Where ranks are open, the order of the people says nothing. */
  const keyOf = (done: number, { people: some, ...state }: State): string => {
    const texts = some.map((person) => JSON.stringify(person));
    return `${done}:${JSON.stringify([state, openRanks ? texts.sort() : texts])}`;
  };

  const search = (done: number, state: State, order: number[]): number[] | undefined => {
    if (done === all) return writtenAll(state, asked) === people ? order : undefined;
    const key = keyOf(done, state);
    if (visited.has(key) || visited.size >= mostStates) return undefined;
    visited.add(key);
    for (const place of steps.keys()) {
      const bit = 1 << place;
      const need = needs[place] ?? 0;
      if ((done & bit) !== 0 || (done & need) !== need) continue;
      for (const next of nextOf(state, place)) {
        const found = search(done | bit, next, [...order, place]);
        if (found) return found;
      }
    }
    return undefined;
  };

  const order = search(0, initial, []);
  return { ...(order && { order }), states: visited.size };
};
