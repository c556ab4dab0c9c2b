/** Lists of values: at most one of them is the main one, and an empty one is none. */
import {
  type Attribute,
  isResource,
  listAt,
  type Resource,
  type ScimValue,
} from '../attributes/attribute.ts';
import { assertNotTooMany } from '../attributes/canonical.ts';

/** At most one is the main one, and the last one said counts. */
export const withOnePrimary = (values: readonly ScimValue[], latest: readonly ScimValue[]): ScimValue[] => {
  const main = latest.findLast((item) => isResource(item) && item.primary === true);
  if (!main) return [...values];
  return values.map((item) =>
    isResource(item) && item.primary === true && item !== main ? { ...item, primary: false } : item,
  );
};

export const assign = (node: Resource, name: string, value: ScimValue | undefined): void => {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) delete node[name];
  else node[name] = value;
};

/** Two values are the same when these texts are; the order of members does not count. */
const textOf = (value: ScimValue | undefined): string => {
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (!isResource(value)) return JSON.stringify(value) ?? '';
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${textOf(value[name])}`).join()}}`;
};

export const addToList = (
  node: Resource,
  attribute: Attribute,
  path: string,
  added: ScimValue | undefined,
): void => {
  const known = listAt(node, attribute.name);
  const texts = new Set(known.map(textOf));
  const fresh = (Array.isArray(added) ? added : []).filter((item) => !texts.has(textOf(item)));
  assertNotTooMany(attribute, known.length + fresh.length, path);
  assign(node, attribute.name, withOnePrimary([...known, ...fresh], fresh));
};

const partOf = (item: Resource, names: readonly string[]): Resource =>
  Object.fromEntries(names.map((name) => [name, item[name]]));

/** An element is like a wanted one when it has all members of it. Wanted ones with the same members are looked up together. */
const likeOneOf = (wanted: readonly ScimValue[]): ((item: ScimValue) => boolean) => {
  const plain = new Set(wanted.filter((value) => !isResource(value)));
  const byMembers = new Map<string, { names: string[]; texts: Set<string> }>();
  for (const value of wanted.filter(isResource)) {
    const names = Object.keys(value).sort();
    const known = byMembers.get(names.join()) ?? { names, texts: new Set() };
    byMembers.set(names.join(), known);
    known.texts.add(textOf(value));
  }
  const kinds = [...byMembers.values()];
  return (item) =>
    isResource(item)
      ? kinds.some(({ names, texts }) => texts.has(textOf(partOf(item, names))))
      : plain.has(item);
};

/** Without a value all goes; with one, what is like it. */
export const removeFromList = (node: Resource, name: string, gone: ScimValue | undefined): void => {
  if (!Array.isArray(gone)) {
    delete node[name];
    return;
  }
  const isGone = likeOneOf(gone);
  const left = listAt(node, name).filter((item) => !isGone(item));
  assign(node, name, left);
};
