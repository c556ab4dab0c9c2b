/** Arrays of scalars: values are unique, a value that is sent again moves to the end, and when there are too many the oldest go. */
import type { ArrayChange, Value } from '../profile.ts';

/** What a workspace allows unless it says otherwise. */
export const mostElements = 25;

const isScalar = (value: Value): boolean => typeof value !== 'object' || value === null;

export const isScalarArray = (value: Value): value is Value[] =>
  Array.isArray(value) && value.every(isScalar);

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

/** `old` without the removed values. `remove` may be very long, `old` is short. */
const withoutAll = (old: readonly Value[], remove: readonly Value[]): readonly Value[] => {
  if (remove.length === 0 || old.length === 0) return old;
  const kept = new Set(old);
  for (const value of remove) kept.delete(value);
  return old.filter((value) => kept.has(value));
};

export const changeArray = (old: readonly Value[], { add, remove = [], most }: ArrayChange): Elements => {
  const kept = withoutAll(old, remove);
  return add
    ? uniqueElements([...kept, ...add], most ?? mostElements)
    : { elements: [...kept], isFull: false };
};
