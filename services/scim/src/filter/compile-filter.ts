/** From a filter to a test of resources. What it asks is checked once, before any resource is read. */
import type { Filter } from 'scim2-parse-filter';
import { type Attribute, isResource, type Resource, type ScimValue } from '../attributes/attribute.ts';
import { type Chain, findChain } from '../attributes/names.ts';
import { badFilter } from '../refusals.ts';
import { comparison } from './compare.ts';

export type Test = (resource: Resource) => boolean;

/** All values at a place: several where a list is on the way. */
export const valuesAt = (value: ScimValue | undefined, names: readonly string[]): ScimValue[] => {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, names));
  const [first, ...rest] = names;
  if (first === undefined) return [value];
  return isResource(value) ? valuesAt(value[first], rest) : [];
};

const namesOf = (chain: Chain): string[] => chain.map(({ name }) => name);

/** `emails` alone stands for `emails.value`: RFC 7644 3.4.2.2. */
export const targetOf = (chain: Chain) => {
  const last = chain.at(-1) ?? chain[0];
  const value = last.many ? last.sub?.find(({ name }) => name === 'value') : undefined;
  const names = namesOf(chain);
  return value ? { attribute: value, names: [...names, value.name] } : { attribute: last, names };
};

const chainOf = (attributes: readonly Attribute[], path: string): Chain => {
  const chain = findChain(attributes, path);
  if (!chain) throw badFilter();
  return chain;
};

const isPresent = (attributes: readonly Attribute[], path: string): Test => {
  const names = namesOf(chainOf(attributes, path));
  return (resource) => valuesAt(resource, names).length > 0;
};

const compares = (
  attributes: readonly Attribute[],
  filter: Extract<Filter, { compValue: unknown }>,
): Test => {
  const { attribute, names } = targetOf(chainOf(attributes, filter.attrPath));
  const holds = comparison(attribute, filter.op, filter.compValue);
  return (resource) => holds(valuesAt(resource, names));
};

const holdsForOne = (attributes: readonly Attribute[], path: string, inner: Filter): Test => {
  const chain = chainOf(attributes, path);
  const { sub } = chain.at(-1) ?? chain[0];
  if (!sub) throw badFilter();
  const names = namesOf(chain);
  const test = compileFilter(sub, inner);
  return (resource) => valuesAt(resource, names).some((item) => isResource(item) && test(item));
};

export const compileFilter = (attributes: readonly Attribute[], filter: Filter): Test => {
  switch (filter.op) {
    case 'and':
    case 'or': {
      const tests = filter.filters.map((part) => compileFilter(attributes, part));
      return filter.op === 'and'
        ? (resource) => tests.every((test) => test(resource))
        : (resource) => tests.some((test) => test(resource));
    }
    case 'not': {
      const test = compileFilter(attributes, filter.filter);
      return (resource) => !test(resource);
    }
    case 'pr':
      return isPresent(attributes, filter.attrPath);
    case '[]':
      return holdsForOne(attributes, filter.attrPath, filter.valFilter);
    default:
      return compares(attributes, filter);
  }
};
