/** Along a path to the places that it means, through filters where it has some. */
import type { Filter } from 'scim2-parse-filter';
import { isResource, listAt, type Resource, type ScimValue } from '../attributes/attribute.ts';
import { assertNotTooMany, fitting } from '../attributes/canonical.ts';
import { noTarget } from '../refusals.ts';
import { stepsOf } from '../work.ts';
import type { PatchChange } from './change.ts';
import { changeHere } from './change-here.ts';
import { assign, withOnePrimary } from './lists.ts';
import type { PatchPath, PathStep } from './path.ts';

/** What an element must be so that the filter finds it; only where the filter says so by `eq` and `and`. */
const impliedBy = (filter: Filter): Resource | undefined => {
  if (filter.op === 'eq' && typeof filter.compValue !== 'number' && filter.compValue !== null)
    return { [filter.attrPath]: filter.compValue };
  if (filter.op !== 'and') return undefined;
  const parts = filter.filters.map(impliedBy);
  return parts.every((part) => part !== undefined) ? Object.assign({}, ...parts) : undefined;
};

/** Provisioners add and replace what a filter names before there is such an element: then it is made. */
const made = (node: Resource, { attribute, filter }: PathStep, path: string): Resource => {
  assertNotTooMany(attribute, listAt(node, attribute.name).length + 1, path);
  const implied = filter && impliedBy(filter);
  const element = implied && fitting({ ...attribute, many: true }, implied, path);
  const [item] = Array.isArray(element) ? element : [];
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
    assign(
      node,
      attribute.name,
      all.filter((item) => !isMatch(item)),
    );
    return;
  }
  const one = fitting({ ...attribute, many: true }, change.value, change.path);
  const [value] = Array.isArray(one) ? one : [];
  const targets = inside(node, step, change);
  for (const target of targets) if (isResource(value)) Object.assign(target, value);
  assign(node, attribute.name, withOnePrimary(listAt(node, attribute.name), targets));
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
