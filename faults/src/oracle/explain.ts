/** Whether some legal order of the operations ends in what was seen. */
import { apply, type Operation, sharersOf } from './model.ts';
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

export interface Leniency {
  /**
   * Of several people who share an email or phone, which one was changed last is told when a request is applied: a request that comes
   * later in the order may have changed one of them already.
   */
  recencyOfLater: boolean;
}

const mostStates = 200_000;

/** Depth first over what is left, never twice through the same state with the same rest. */
export const explain = (
  initial: State,
  steps: readonly Step[],
  { asked, people }: Seen,
  { recencyOfLater }: Leniency = { recencyOfLater: false },
): Explanation => {
  const visited = new Set<string>();
  const needs = steps.map(({ after }) => after.reduce((mask, place) => mask | (1 << place), 0));
  const all = (1 << steps.length) - 1;

  /** What the operation may lead to, as long as others are to come. */
  const nextOf = (done: number, state: State, { operation, perhaps }: Step): State[] => {
    const choices = recencyOfLater && done !== all ? sharersOf(state, operation) : 1;
    const states = Array.from({ length: choices }, (_, before) => apply(state, operation, before));
    return perhaps ? [...states, state] : states;
  };

  const search = (done: number, state: State, order: number[]): number[] | undefined => {
    if (done === all) return writtenAll(state, asked) === people ? order : undefined;
    const key = `${done}:${JSON.stringify(state)}`;
    if (visited.has(key) || visited.size >= mostStates) return undefined;
    visited.add(key);
    for (const [place, step] of steps.entries()) {
      const bit = 1 << place;
      const need = needs[place] ?? 0;
      if ((done & bit) !== 0 || (done & need) !== need) continue;
      for (const next of nextOf(done | bit, state, step)) {
        const found = search(done | bit, next, [...order, place]);
        if (found) return found;
      }
    }
    return undefined;
  };

  const order = search(0, initial, []);
  return { ...(order && { order }), states: visited.size };
};
