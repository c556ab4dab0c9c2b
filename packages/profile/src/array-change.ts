/** Arrays of scalars: values are unique, a value that is sent again moves to the end, and when there are too many the oldest go. */
import type { ArrayChange, Value } from './profile.ts';
import { type Elements, uniqueElements } from './unique-elements.ts';

/** The default bound of a workspace. */
export const mostElements = 25;

const isScalar = (value: Value): boolean => typeof value !== 'object' || value === null;

export const isScalarArray = (value: Value): value is Value[] =>
  Array.isArray(value) && value.every(isScalar);

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
