/** Arrays of scalars: values are unique, one that is sent again moves to the end, and when there are too many the oldest go. */
import type { ArrayChange, Value } from './profile.ts';

/** What a workspace allows unless it says otherwise. */
export const mostElements = 25;

const isScalar = (value: Value): boolean => typeof value !== 'object' || value === null;

export const isScalarArray = (value: Value): value is Value[] =>
  Array.isArray(value) && value.every(isScalar);

export interface Elements {
  elements: Value[];
  isFull: boolean;
}

/** The last one of several equal ones counts. */
export const uniqueElements = (values: readonly Value[], most: number): Elements => {
  const elements = new Set<Value>();
  for (const value of values) {
    elements.delete(value);
    elements.add(value);
  }
  return { elements: [...elements].slice(Math.max(0, elements.size - most)), isFull: elements.size > most };
};

export const changeArray = (old: readonly Value[], { add, remove = [], most }: ArrayChange): Elements => {
  const gone = new Set(remove);
  const kept = gone.size === 0 ? old : old.filter((value) => !gone.has(value));
  return add
    ? uniqueElements([...kept, ...add], most ?? mostElements)
    : { elements: [...kept], isFull: false };
};
