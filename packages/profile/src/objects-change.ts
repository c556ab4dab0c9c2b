/** Arrays of objects: carried out as add, remove, update, in whatever order they were sent (field-facts 2.1.4). */
import { deepMerge, isNested, type Nested } from './nested.ts';
import type { ObjectsChange, Value } from './profile.ts';

export const isObjectsArray = (value: Value): value is Nested[] =>
  Array.isArray(value) && value.every(isNested);

const scalar = (value: Value): boolean => typeof value !== 'object' || value === null;

/** Identifiers are scalars; nothing is found by anything else, nor by a name that an object only inherits. */
const matches = (object: Nested, key: string, value: Value): boolean =>
  Object.hasOwn(object, key) && scalar(value) && object[key] === value;

export const changeObjects = (old: readonly Nested[], change: ObjectsChange): Nested[] => {
  const { add = [], remove = [], update = [], merge = false } = change;
  let objects = [...old, ...add];
  for (const { key, value } of remove) objects = objects.filter((object) => !matches(object, key, value));
  for (const { key, value, with: next } of update) {
    objects = objects.map((object) => {
      if (!matches(object, key, value)) return object;
      return merge ? deepMerge(object, next) : next;
    });
  }
  return objects;
};
