/** Values of an array, each once: the last one of several equal ones counts. */
import type { Value } from './profile.ts';

export interface Elements {
  elements: Value[];
  isFull: boolean;
}

/** Adds values to `last`, from the end, that it does not hold yet, until there are `most`. */
const takeLast = (last: Set<Value>, values: readonly Value[], most: number): void => {
  for (let place = values.length - 1; place >= 0 && last.size < most; place--)
    last.add(values[place] ?? null);
};

/** The last values, each once and in their order. Stops as soon as there are enough. */
export const lastOf = (values: readonly Value[], most: number): Value[] => {
  const last = new Set<Value>();
  takeLast(last, values, most);
  return [...last].reverse();
};

/** The last one of several equal ones counts. */
export const uniqueElements = (values: readonly Value[], most: number): Elements => {
  // One more than the bound tells that there are too many.
  const found = lastOf(values, most + 1);
  return found.length > most
    ? { elements: found.slice(1), isFull: true }
    : { elements: found, isFull: false };
};
