/** Notes the result of an entry. */
import type { Found, Premature } from './find-person.ts';
import type { AnyItem } from './item.ts';
import type { EntryResult, Result } from './result.ts';

/** Of more people who share contacts in one request, an unfinished request may change one unnoticed. */
const mostCompared = 1000;

export const settle = (result: Result, { kind, index }: AnyItem, value: EntryResult): void => {
  const results = result.entries[kind];
  if (results) results[index] = value;
};

const setPremature = (result: Result, { names }: Premature): void => {
  if (!names) {
    result.premature = true;
    return;
  }
  result.unknown ??= [];
  result.unknown.push(...names);
};

/** Notes the result of the search for the person of an entry. */
export const settleFound = (result: Result, item: AnyItem, found: Found): void => {
  if ('premature' in found && found.premature) setPremature(result, found.premature);
  if ('among' in found && found.among)
    result.among = [...(result.among ?? []), ...found.among].slice(0, mostCompared);
  if ('waits' in found) result.waits = true;
  if (found.is === 'ignored') settle(result, item, `ignored:${found.reason}`);
  if (found.is === 'created') settle(result, item, 'created');
};

export const note = (result: Result, { kind, index }: AnyItem, field: string, reason: string): void => {
  result.notes.push({ input_array: kind, index, field, reason });
};
