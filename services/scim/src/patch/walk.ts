/** Along a path to the places that it means, through filters where it has some. */
import type { Filter } from 'scim2-parse-filter';
import {
  type Attribute,
  isResource,
  listAt,
  type Resource,
  type ScimValue,
} from '../attributes/attribute.ts';
import { assertNotTooMany, fitting } from '../attributes/canonical.ts';
import { noTarget } from '../refusals.ts';
import { stepsOf, weightOf } from '../work.ts';
import { addToList, assign, removeFromList, withOnePrimary } from './lists.ts';
import type { PatchChange } from './operations.ts';
import type { PatchPath, PathStep } from './path.ts';

/** What an element must be so that the filter finds it; only where the filter says so by `eq` and `and`. */
const impliedBy = (filter: Filter): Resource | undefined => {
  if (filter.op === 'eq' && typeof filter.compValue !== 'number' && filter.compValue !== null)
    return { [filter.attrPath]: filter.compValue };
  if (filter.op !== 'and') return undefined;
  const parts = filter.filters.map(impliedBy);
  return parts.every((part) => part !== undefined) ? Object.assign({}, ...parts) : undefined;
};

const elementOf = (attribute: Attribute, value: unknown, path: string): ScimValue | undefined => {
  const all = fitting({ ...attribute, many: true }, value, path);
  return Array.isArray(all) ? all[0] : undefined;
};

/** Provisioners add and replace what a filter names before there is such an element: then it is made. */
const made = (node: Resource, { attribute, filter }: PathStep, path: string): Resource => {
  assertNotTooMany(attribute, listAt(node, attribute.name).length + 1, path);
  const implied = filter && impliedBy(filter);
  const item = elementOf(attribute, implied, path);
  if (!isResource(item)) throw noTarget(`nothing matches '${path}'`);
  node[attribute.name] = [...listAt(node, attribute.name), item];
  return item;
};

/** Each element is looked at once, and compared as often as the filter says. */
const spendOn = (node: Resource, { attribute, comparisons = 0 }: PathStep, { work }: PatchChange): void =>
  work.spend(listAt(node, attribute.name).length * (stepsOf.match + stepsOf.test * comparisons));

/** The elements or the object through which the path goes on. */
const inside = (node: Resource, step: PathStep, change: PatchChange): Resource[] => {
  const { attribute, test } = step;
  const { op, path } = change;
  if (attribute.many) {
    spendOn(node, step, change);
    const all = listAt(node, attribute.name).filter(isResource);
    const matching = test ? all.filter(test) : all;
    if (matching.length > 0 || op === 'remove') return matching;
    if (!test) throw noTarget(`nothing matches '${path}'`);
    return [made(node, step, path)];
  }
  const inner = node[attribute.name];
  if (isResource(inner)) return [inner];
  if (op === 'remove') return [];
  const fresh: Resource = {};
  node[attribute.name] = fresh;
  return [fresh];
};

const changeMatching = (node: Resource, step: PathStep, change: PatchChange): void => {
  const { attribute, test } = step;
  spendOn(node, step, change);
  const all = listAt(node, attribute.name);
  const isMatch = (item: ScimValue): boolean => isResource(item) && (test?.(item) ?? true);
  if (change.op === 'remove') {
    const left = all.filter((item) => !isMatch(item));
    assign(node, attribute.name, left);
    return;
  }
  const value = elementOf(attribute, change.value, change.path);
  const targets = inside(node, step, change);
  for (const target of targets) if (isResource(value)) Object.assign(target, value);
  assign(node, attribute.name, withOnePrimary(listAt(node, attribute.name), targets));
};

/** Sub-attributes that are named are set, also with `add`; those that are not stay as they are. */
const mergeInto = (node: Resource, name: string, value: ScimValue | undefined): void => {
  if (!isResource(value)) {
    delete node[name];
    return;
  }
  const before = node[name];
  node[name] = { ...(isResource(before) ? before : {}), ...value };
};

const replaceHere = (node: Resource, name: string, value: ScimValue | undefined): void =>
  assign(node, name, Array.isArray(value) ? withOnePrimary(value, value) : value);

/** The end of a path: the attribute itself is added to, replaced or removed. RFC 7644 3.5.2.1 to 3.5.2.3. */
const changeHere = (node: Resource, attribute: Attribute, change: PatchChange): void => {
  const { op, value, path, work } = change;
  const { name, many } = attribute;
  const wanted = op === 'remove' && !many ? undefined : fitting(attribute, value, path);
  work.spend((weightOf(wanted) + (many ? weightOf(node[name]) : 1)) * stepsOf.match);
  if (op === 'remove' && many) removeFromList(node, name, wanted);
  else if (op === 'remove') delete node[name];
  else if (op === 'add' && many) addToList(node, attribute, path, wanted);
  else if (attribute.type === 'complex' && !many) mergeInto(node, name, wanted);
  else replaceHere(node, name, wanted);
};

export const walk = (node: Resource, [step, ...rest]: PatchPath, change: PatchChange): void => {
  const [next, ...more] = rest;
  if (!next) {
    if (step.test) changeMatching(node, step, change);
    else changeHere(node, step.attribute, change);
    return;
  }
  const targets = inside(node, step, change);
  for (const target of targets) walk(target, [next, ...more], change);
  if (step.attribute.many)
    assign(node, step.attribute.name, withOnePrimary(listAt(node, step.attribute.name), targets));
};
