/** The changes of an `apply`, in words: `apps: + shop, - old` and `track.max_updates: 50 -> 100`. */
import { stringifyExact } from '@roster/contract';
import { isRecord } from './json.ts';

const labelOf = (item: unknown): string => (isRecord(item) ? String(item.id) : String(item));
const byLabel = (items: unknown[]) => new Map(items.map((item) => [labelOf(item), stringifyExact(item)]));

const inList = (path: string, before: unknown[], after: unknown[]): string[] => {
  const [old, fresh] = [byLabel(before), byLabel(after)];
  const added = [...fresh.keys()].filter((label) => !old.has(label)).map((label) => `+ ${label}`);
  const changed = [...fresh].filter(([label, text]) => old.has(label) && old.get(label) !== text);
  const gone = [...old.keys()].filter((label) => !fresh.has(label)).map((label) => `- ${label}`);
  const parts = [...added, ...changed.map(([label]) => `~ ${label}`), ...gone];
  if (parts.length > 0) return [`${path}: ${parts.join(', ')}`];
  return stringifyExact(before) === stringifyExact(after) ? [] : [`${path}: another order`];
};

const short = (value: unknown): string => (value === undefined ? '(none)' : stringifyExact(value));

export const differences = (before: unknown, after: unknown, path = ''): string[] => {
  if (Array.isArray(before) && Array.isArray(after)) return inList(path, before, after);
  if (isRecord(before) && isRecord(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => differences(before[name], after[name], path ? `${path}.${name}` : name));
  }
  return stringifyExact(before) === stringifyExact(after)
    ? []
    : [`${path}: ${short(before)} -> ${short(after)}`];
};
