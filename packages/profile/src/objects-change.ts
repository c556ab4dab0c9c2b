/** Arrays of objects: carried out as add, remove, update, in whatever order they were sent (field-facts 2.1.4). */
import { deepMerge, isNested, type Nested } from './nested.ts';
import type { ObjectsChange, Value } from './profile.ts';

export const isObjectsArray = (value: Value): value is Nested[] =>
  Array.isArray(value) && value.every(isNested);

const scalar = (value: Value): boolean => typeof value !== 'object' || value === null;

/** Identifiers are scalars; nothing is found by anything else, nor by a name that an object only inherits. */
const matches = (object: Nested, key: string, value: Value): boolean =>
  Object.hasOwn(object, key) && scalar(value) && object[key] === value;

export interface Objects {
  objects: Nested[];
  /** There was an update that found nothing. */
  isUnmatched: boolean;
}

export const changeObjects = (old: readonly Nested[], change: ObjectsChange): Objects => {
  const { add = [], remove = [], update = [], merge = false } = change;
  let objects = [...old, ...add];
  let isUnmatched = false;
  for (const { key, value } of remove) objects = objects.filter((object) => !matches(object, key, value));
  for (const { key, value, with: next } of update) {
    let isMatched = false;
    objects = objects.map((object) => {
      if (!matches(object, key, value)) return object;
      isMatched = true;
      return merge ? deepMerge(object, next) : next;
    });
    isUnmatched ||= !isMatched;
  }
  return { objects, isUnmatched };
};
