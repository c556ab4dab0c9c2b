/** Lists of values: at most one of them is the main one, and an empty one is none. */
import { isDeepStrictEqual } from 'node:util';
import { type Attribute, isResource, type Resource, type Value } from '../attributes/attribute.ts';
import { fitting } from '../attributes/canonical.ts';
import type { Change } from './change.ts';

export const listAt = (node: Resource, name: string): Value[] => {
  const value = node[name];
  return Array.isArray(value) ? value : [];
};

/** At most one is the main one, and the last one said counts. */
export const withOnePrimary = (values: readonly Value[], latest: readonly Value[]): Value[] => {
  const main = latest.findLast((item) => isResource(item) && item.primary === true);
  if (!main) return [...values];
  return values.map((item) =>
    isResource(item) && item.primary === true && item !== main ? { ...item, primary: false } : item,
  );
};

export const assign = (node: Resource, name: string, value: Value | undefined): void => {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) delete node[name];
  else node[name] = value;
};

export const addToList = (node: Resource, name: string, added: Value | undefined): void => {
  const known = listAt(node, name);
  const fresh = (Array.isArray(added) ? added : []).filter(
    (item) => !known.some((other) => isDeepStrictEqual(other, item)),
  );
  assign(node, name, withOnePrimary([...known, ...fresh], fresh));
};

/** Without a value all goes; with one, what is like it. */
export const removeFromList = (node: Resource, attribute: Attribute, { value, path }: Change): void => {
  const gone = fitting(attribute, value, path);
  const isLike = (item: Value, wanted: Value): boolean =>
    isResource(item) && isResource(wanted)
      ? Object.entries(wanted).every(([name, part]) => isDeepStrictEqual(item[name], part))
      : item === wanted;
  const unwanted = Array.isArray(gone) ? gone : undefined;
  const kept = listAt(node, attribute.name).filter(
    (item) => unwanted && !unwanted.some((wanted) => isLike(item, wanted)),
  );
  assign(node, attribute.name, kept);
};
