/** Nested attributes. Their names are data, whatever they are called: objects are built from entries, never by assignment. */
import type { Value } from './profile.ts';

export interface Nested {
  [name: string]: Value;
}

export const isNested = (value: Value | undefined): value is Nested =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const merged = (old: Value | undefined, next: Value): Value =>
  isNested(old) && isNested(next) ? deepMerge(old, next) : next;

/** Objects are merged member by member; everything else replaces what was there. */
export const deepMerge = (old: Nested, next: Nested): Nested => {
  const members = new Map<string, Value>(Object.entries(old));
  for (const [name, value] of Object.entries(next)) members.set(name, merged(members.get(name), value));
  return Object.fromEntries(members);
};
