import { isResource, type Value } from '../attributes/attribute.ts';

/** All values at a place: several where a list is on the way. */
export const valuesAt = (value: Value | undefined, names: readonly string[]): Value[] => {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, names));
  const [first, ...rest] = names;
  if (first === undefined) return [value];
  return isResource(value) ? valuesAt(value[first], rest) : [];
};
