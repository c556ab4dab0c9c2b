/** `sortBy` and `sortOrder`: RFC 7644 3.4.2.3. */
import type { Attribute, Resource, ScimValue } from '../attributes/attribute.ts';
import { findChain } from '../attributes/names.ts';
import { folded } from '../filter/compare.ts';
import { targetOf, valuesAt } from '../filter/compile-filter.ts';
import { badValue } from '../refusals.ts';

/** Who has no value comes last, or first when the order is descending. */
export type SortKey = string | undefined;

/** Of a list the main value counts, else the first. */
const keyAt = (resource: Resource, names: readonly string[], { caseExact }: Attribute): SortKey => {
  const [first, ...rest] = names;
  const found = first === undefined ? undefined : resource[first];
  const main = Array.isArray(found)
    ? (found.find((item) => typeof item === 'object' && !Array.isArray(item) && item.primary) ?? found[0])
    : found;
  const [value]: ScimValue[] = valuesAt(main, rest);
  return value === undefined ? undefined : folded(String(value), caseExact);
};

const compareKeys = (a: SortKey, b: SortKey): number => {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
  return a < b ? -1 : 1;
};

/** `null`: it is not asked for. */
export interface SortQuery {
  sortBy?: string | null | undefined;
  sortOrder?: string | null | undefined;
}

export const sortOf = (attributes: readonly Attribute[], { sortBy, sortOrder }: SortQuery) => {
  const order = sortOrder?.toLowerCase() ?? 'ascending';
  if (order !== 'ascending' && order !== 'descending')
    throw badValue('sortOrder must be ascending or descending');
  if (sortBy == null) return undefined;
  const chain = findChain(attributes, sortBy);
  if (!chain) throw badValue(`users have no attribute '${sortBy}' to sort by`);
  const { attribute, names } = targetOf(chain);
  const sign = order === 'ascending' ? 1 : -1;
  return {
    keyOf: (resource: Resource) => keyAt(resource, names, attribute),
    compare: (a: SortKey, b: SortKey) => sign * compareKeys(a, b),
  };
};

export type Sort = NonNullable<ReturnType<typeof sortOf>>;
