/** Texts in quotes in a filter. */
import type { Filter } from 'scim2-parse-filter';
import { badFilter } from '../refusals.ts';

const deepest = 20;

const quoted = /"(?:[^"\\]|\\.)*"/gs;

/** Its parser calls itself for each parenthesis. */
export const isTooDeep = (text: string): boolean => {
  let depth = 0;
  for (const letter of text.replace(quoted, '')) {
    if (letter === '(' || letter === '[') depth += 1;
    if (letter === ')' || letter === ']') depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
};

/** The library leaves escapes as they are, but for the quote. */
const unescaped = (text: string): string => {
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text.replaceAll('"', '\\"')}"`);
  } catch {
    return text;
  }
};

/** The library looks words up in a plain object, so that `a pr __proto__ b pr` is a filter to it. */
const isKnown = (filter: Filter): boolean =>
  'filters' in filter
    ? filter.op === 'and' || filter.op === 'or'
    : 'filter' in filter || typeof filter.attrPath === 'string';

export const withTexts = (filter: Filter): Filter => {
  if (!isKnown(filter)) throw badFilter();
  if ('filters' in filter) return { ...filter, filters: filter.filters.map(withTexts) };
  if ('filter' in filter) return { ...filter, filter: withTexts(filter.filter) };
  if ('valFilter' in filter) return { ...filter, valFilter: withTexts(filter.valFilter) };
  if (!('compValue' in filter) || typeof filter.compValue !== 'string') return filter;
  return { ...filter, compValue: unescaped(filter.compValue) };
};
