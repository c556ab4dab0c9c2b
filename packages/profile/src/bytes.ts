/** The bytes of a profile, or of a part of it, in the database: never fewer than stored, rarely many more. */
import { jsonBytes } from './json-bytes.ts';
import { storedBytes } from './profile.ts';

/**
 * The database takes no document beyond 16 MB. A profile of this size takes no more custom attributes. Fields, consent and aliases have bounds
 * of their own and still have room. A workspace may choose a smaller bound.
 */
export const mostProfileBytes = 12 * 1024 * 1024;

/** What a workspace allows unless it says otherwise. */
export const usualProfileBytes = 1024 * 1024;

/** Type and end of the name take as much as two quotes. */
const memberBytes = (name: string, value: unknown): number => jsonBytes(name) + bytesOf(value);

/** Positions are names too. */
const digits = (index: number): number =>
  index < 10 ? 1 : index < 100 ? 2 : index < 1000 ? 3 : index < 10_000 ? 4 : 6;

const arrayBytes = (values: readonly unknown[]): number => {
  let bytes = 5;
  for (let index = 0; index < values.length; index++) bytes += digits(index) + 2 + bytesOf(values[index]);
  return bytes;
};

/** Other numbers are kept as doubles, and so is the negative zero. */
const isInt32 = (value: number): boolean => Object.is(value | 0, value);

const membersBytes = <Members extends object>(value: Members): number => {
  let bytes = 5;
  // `Object.entries` of each of a hundred thousand objects would take six times as long.
  for (const name in value) {
    const member = value[name];
    if (member !== undefined) bytes += memberBytes(name, member);
  }
  return bytes;
};

/** A missing member takes nothing. */
export const bytesOf = (value: unknown): number => {
  if (value === undefined) return 0;
  if (typeof value === 'string') return jsonBytes(value) + 3;
  if (typeof value === 'number') return isInt32(value) ? 4 : 8;
  if (typeof value === 'bigint') return 8;
  if (typeof value !== 'object' || value === null) return 1;
  if (Array.isArray(value)) return arrayBytes(value);
  return membersBytes(value);
};

export const storedBytesOf = (value: unknown): number | undefined => {
  const bytes = typeof value === 'object' && value !== null ? Reflect.get(value, storedBytes) : undefined;
  return typeof bytes === 'number' ? bytes : undefined;
};
