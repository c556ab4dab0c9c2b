import { isScalar } from './found-objects.ts';
import type { Counted, Nested } from './nested.ts';
import type { Value } from './profile.ts';

/** Tells whether an object has one of these members. It allocates nothing for each object: that keeps a removal cheap. */
export const createIsAnyOf = (wanted: Iterable<{ key: string; value: Value }>, counted: Counted) => {
  const byName = new Map<string, Set<Value>>();
  for (const { key, value } of wanted) {
    const values = byName.get(key);
    if (values) values.add(value);
    else byName.set(key, new Set([value]));
  }
  return (object: Nested): boolean => {
    const own = Object.keys(object);
    counted.members += own.length;
    return own.some((name) => {
      const value = object[name];
      return isScalar(value) && byName.get(name)?.has(value) === true;
    });
  };
};
