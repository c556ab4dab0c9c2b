/** A library holds the grammar of filters (RFC 7644 3.4.2.2). The bounds, and the values of texts in quotes, are ours. */
import { type Filter, parse } from 'scim2-parse-filter';
import { limits } from '../limits.ts';
import { badFilter } from '../refusals.ts';
import { isTooDeep, withTexts } from './filter-texts.ts';

const longest = 4096;

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
