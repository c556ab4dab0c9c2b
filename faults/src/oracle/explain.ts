/** Whether some legal order of the operations ends in what was seen. */
import { apply, type Operation, type State, writtenAll } from './model.ts';

export interface Step {
  operation: Operation;
  /** Places of the steps that had certainly taken effect before this one was sent. */
  after: readonly number[];
  /** Nobody knows whether it was accepted: it may have happened or not. */
  perhaps: boolean;
}

export interface Explanation {
  /** The order found, as places; undefined when there is none. */
  order?: number[];
  /** How many pairs of done steps and state were looked at. */
  states: number;
}

/** Depth first over what is left, never twice through the same state with the same rest. */
export const explain = (steps: readonly Step[], seen: string, mostStates = 200_000): Explanation => {
  const visited = new Set<string>();
  const needs = steps.map(({ after }) => after.reduce((mask, place) => mask | (1 << place), 0));
  const all = (1 << steps.length) - 1;

  const search = (done: number, state: State, order: number[]): number[] | undefined => {
    const looks = writtenAll(state);
    if (done === all) return looks === seen ? order : undefined;
    const key = `${done}:${looks}`;
    if (visited.has(key) || visited.size >= mostStates) return undefined;
    visited.add(key);
    for (const [place, step] of steps.entries()) {
      const bit = 1 << place;
      const need = needs[place] ?? 0;
      if ((done & bit) !== 0 || (done & need) !== need) continue;
      const found =
        search(done | bit, apply(state, step.operation), [...order, place]) ??
        (step.perhaps ? search(done | bit, state, order) : undefined);
      if (found) return found;
    }
    return undefined;
  };

  const order = search(0, [], []);
  return { ...(order && { order }), states: visited.size };
};
