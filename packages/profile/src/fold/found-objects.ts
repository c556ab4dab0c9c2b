/** Finds objects of an array by a member, without reading all of them. Keeps up with changes. */

import { addTo } from '../grouped.ts';
import type { Value } from '../profile.ts';
import type { MemberCount, Nested } from './nested.ts';

type ObjectPlaces = Map<Value, Set<number>>;

/** Identifiers are scalars; objects are found by nothing else, and by no inherited name. */
const isScalar = (value: Value | undefined): value is Value =>
  value !== undefined && (typeof value !== 'object' || value === null);

/** Tells whether an object has one of these members. It allocates nothing for each object: that keeps a removal cheap. */
export const createIsAnyOf = (wanted: Iterable<{ key: string; value: Value }>, counted: MemberCount) => {
  const byName = new Map<string, Set<Value>>();
  for (const { key, value } of wanted) addTo(byName, key, value);
  return (object: Nested): boolean => {
    const own = Object.keys(object);
    counted.members += own.length;
    return own.some((name) => {
      const value = object[name];
      return isScalar(value) && byName.get(name)?.has(value) === true;
    });
  };
};

/** `names` are the members by which objects are found. */
export const createFoundObjects = (
  objects: readonly Nested[],
  names: ReadonlySet<string>,
  counted: MemberCount,
) => {
  const byName = new Map<string, ObjectPlaces>([...names].map((name) => [name, new Map()]));

  const eachMember = (object: Nested, visit: (places: ObjectPlaces, value: Value) => void): void => {
    const own = Object.keys(object);
    counted.members += own.length;
    for (const name of own) {
      const places = byName.get(name);
      const value = object[name];
      if (places && isScalar(value)) visit(places, value);
    }
  };

  const enter = (object: Nested, place: number): void =>
    eachMember(object, (places, value) => addTo(places, value, place));

  const leave = (object: Nested, place: number): void =>
    eachMember(object, (places, value) => places.get(value)?.delete(place));

  for (const [place, object] of objects.entries()) enter(object, place);

  return {
    placesOf: (name: string, value: Value): ReadonlySet<number> | undefined => byName.get(name)?.get(value),
    replace(place: number, before: Nested, after: Nested): void {
      leave(before, place);
      enter(after, place);
    },
  };
};
