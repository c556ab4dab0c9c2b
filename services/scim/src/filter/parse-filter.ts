/** The grammar of filters (RFC 7644 3.4.2.2) is the library's; bounds, and what a text in quotes stands for, are ours. */
import { type Filter, parse } from 'scim2-parse-filter';
import { limits } from '../limits.ts';
import { badFilter } from '../refusals.ts';

const longest = 4096;
const deepest = 20;

const quoted = /"(?:[^"\\]|\\.)*"/gs;

/** Its parser calls itself for each parenthesis. */
const isTooDeep = (text: string): boolean => {
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

const withTexts = (filter: Filter): Filter => {
  if (!isKnown(filter)) throw badFilter();
  if ('filters' in filter) return { ...filter, filters: filter.filters.map(withTexts) };
  if ('filter' in filter) return { ...filter, filter: withTexts(filter.filter) };
  if ('valFilter' in filter) return { ...filter, valFilter: withTexts(filter.valFilter) };
  if (!('compValue' in filter) || typeof filter.compValue !== 'string') return filter;
  return { ...filter, compValue: unescaped(filter.compValue) };
};

const parsed = (text: string): Filter => {
  if (text.length > longest || isTooDeep(text)) throw badFilter();
  try {
    return withTexts(parse(text));
  } catch {
    throw badFilter();
  }
};

export const comparisonsIn = (filter: Filter): number => {
  if ('filters' in filter) return filter.filters.reduce((sum, part) => sum + comparisonsIn(part), 0);
  if ('filter' in filter) return comparisonsIn(filter.filter);
  return 'valFilter' in filter ? comparisonsIn(filter.valFilter) : 1;
};

export const parseFilter = (text: string): Filter => {
  const filter = parsed(text);
  if (comparisonsIn(filter) > limits.comparisons)
    throw badFilter(`a filter must not have more than ${limits.comparisons} comparisons`);
  return filter;
};
