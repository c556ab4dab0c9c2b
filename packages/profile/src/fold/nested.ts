/** Nested attributes. Their names are data, also reserved ones: objects are built from entries, never by assignment. */
import type { Value } from '../profile.ts';

export interface Nested {
  [name: string]: Value;
}

export const isNested = (value: Value | undefined): value is Nested =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Counts the visited members. */
export interface MemberCount {
  members: number;
}

const merged = (old: Value | undefined, next: Value, counted: MemberCount | undefined): Value =>
  isNested(old) && isNested(next) ? deepMerge(old, next, counted) : next;

/** Objects are merged member by member; every other value replaces the old one. */
export const deepMerge = (old: Nested, next: Nested, counted?: MemberCount): Nested => {
  const members = new Map<string, Value>(Object.entries(old));
  const changes = Object.entries(next);
  if (counted) counted.members += members.size + changes.length;
  for (const [name, value] of changes) members.set(name, merged(members.get(name), value, counted));
  return Object.fromEntries(members);
};
