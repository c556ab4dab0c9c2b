/** The changes of an `apply`, in words: `apps: + shop, - old` and `track.max_updates: 50 -> 100`. */
import { stringifyExact } from '@roster/contract';
import { isRecord } from './json.ts';

/** What an item of a list is known by; items without a name of their own are known by their content. */
export const labelOf = (item: unknown): string => {
  if (!isRecord(item)) return typeof item === 'string' ? item : stringifyExact(item);
  if (typeof item.id === 'string') return item.id;
  if (typeof item.name === 'string') return item.name;
  return 'days' in item ? `${item.channel} in ${item.days} days` : stringifyExact(item);
};

const inList = (path: string, before: unknown[], after: unknown[]): string[] => {
  const [old, fresh] = [before, after].map((items) => new Map(items.map((item) => [labelOf(item), item])));
  if (!old || !fresh) return [];
  const added = [...fresh.keys()].filter((label) => !old.has(label)).map((label) => `+ ${label}`);
  const gone = [...old.keys()].filter((label) => !fresh.has(label)).map((label) => `- ${label}`);
  const changed = [...fresh].flatMap(([label, item]) =>
    old.has(label) ? differences(old.get(label), item, `${path}.${label}`) : [],
  );
  const parts = [...added, ...gone];
  const found = [...(parts.length > 0 ? [`${path}: ${parts.join(', ')}`] : []), ...changed];
  if (found.length > 0) return found;
  return stringifyExact(before) === stringifyExact(after) ? [] : [`${path}: another order`];
};

const short = (value: unknown): string => (value === undefined ? '(none)' : stringifyExact(value));

export const differences = (before: unknown, after: unknown, path = ''): string[] => {
  if (Array.isArray(before) && Array.isArray(after)) return inList(path, before, after);
  if (isRecord(before) && isRecord(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => differences(before[name], after[name], path ? `${path}.${name}` : name));
  }
  return short(before) === short(after) ? [] : [`${path}: ${short(before)} -> ${short(after)}`];
};
