/** Arrays of objects: carried out as add, remove, update, in any sent order. */

import type { ObjectsChange, Value } from '../profile.ts';
import { createFoundObjects, createIsAnyOf } from './found-objects.ts';
import { deepMerge, isNested, type MemberCount, type Nested } from './nested.ts';

export const isObjectsArray = (value: Value): value is Nested[] =>
  Array.isArray(value) && value.every(isNested);

export interface Objects {
  objects: Nested[];
  /** An update found nothing. */
  isUnmatched: boolean;
  /** The number of visited members. */
  members: number;
  /** It was more than the bound, and the objects are the old ones. */
  isTooMuch?: true;
}

type Remove = NonNullable<ObjectsChange['remove']>;

const without = (objects: readonly Nested[], remove: Remove, counted: MemberCount): Nested[] => {
  if (remove.length === 0) return [...objects];
  const isGone = createIsAnyOf(remove, counted);
  return objects.filter((object) => !isGone(object));
};

/** Changes the given list. An update may change what the next one finds. Returns whether each found an object. */
const updateAll = (
  objects: Nested[],
  { update = [], merge = false }: ObjectsChange,
  counted: MemberCount,
  most: number,
): boolean => {
  if (update.length === 0) return true;
  const found = createFoundObjects(objects, new Set(update.map(({ key }) => key)), counted);
  let isMatched = true;
  for (const { key, value, with: next } of update) {
    const places = [...(found.placesOf(key, value) ?? [])];
    isMatched &&= places.length > 0;
    for (const place of places) {
      const old = objects[place] ?? {};
      const after = merge ? deepMerge(old, next, counted) : next;
      objects[place] = after;
      found.replace(place, old, after);
      if (counted.members > most) return isMatched;
    }
  }
  return isMatched;
};

/** A removal is one pass over the array. Updates that find many objects are many changes: `most` bounds them. */
export const changeObjects = (
  old: readonly Nested[],
  change: ObjectsChange,
  most = Number.POSITIVE_INFINITY,
): Objects => {
  const { add = [], remove = [] } = change;
  const counted: MemberCount = { members: old.length + add.length };
  const objects = without([...old, ...add], remove, counted);
  const isUnmatched = !updateAll(objects, change, counted, most);
  const { members } = counted;
  return members > most
    ? { objects: [...old], isUnmatched: false, members, isTooMuch: true }
    : { objects, isUnmatched, members };
};
