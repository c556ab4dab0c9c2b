/**
 * A shape says what a stored document has: as a type, and to tests. Where the type comes from another package the compiler compares both: it refuses a
 * definition with a member too many, a member too few, another type, or a member that may be absent in only one of them.
 */
import type { Decimal } from '../connection/db.ts';

/** What a stored value may be. It is plain data: services write without a check, and each test holds to it what it has stored. */
export interface Described {
  /** In words, such as `a text`. */
  readonly is: string;
  fits(value: unknown): boolean;
  readonly mayBeNull?: true;
  readonly mayBeAbsent?: true;
  /** Of a document within a document. */
  readonly members?: Members;
  /** Of a list or a map. */
  readonly items?: Described;
}

export type Members = Readonly<Record<string, Described>>;

/** The path of members of exactly this type. `carries` never has a value: it is for the compiler. */
export interface Path<T> extends Described {
  readonly carries?: (value: T) => T;
}

type NameIn<T> = T extends unknown ? keyof T & string : never;
type MemberOf<T, Name> = T extends unknown ? (Name extends keyof T ? T[Name] : undefined) : never;

/** The shape of a type that another package has: every member of it; of a union, the members of all its types. */
export type Definition<T> = { readonly [Name in NameIn<T>]: Path<MemberOf<T, Name>> };

type Carried<P> = P extends Path<infer T> ? T : never;

type Flat<T> = { [Name in keyof T]: T[Name] };

export type DocumentOf<Shape> = Flat<
  {
    [Name in keyof Shape as undefined extends Carried<Shape[Name]> ? never : Name]: Carried<Shape[Name]>;
  } & {
    [Name in keyof Shape as undefined extends Carried<Shape[Name]> ? Name : never]?: Exclude<
      Carried<Shape[Name]>,
      undefined
    >;
  }
>;

const isBson =
  (type: string) =>
  (value: unknown): boolean =>
    typeof value === 'object' && value !== null && '_bsontype' in value && value._bsontype === type;

const isObject = (value: unknown): value is object =>
  Object.prototype.toString.call(value) === '[object Object]' && !('_bsontype' in Object(value));

export const text: Path<string> = { is: 'a text', fits: (value) => typeof value === 'string' };
export const number: Path<number> = { is: 'a number', fits: Number.isFinite };
export const flag: Path<boolean> = { is: 'a boolean', fits: (value) => typeof value === 'boolean' };
export const date: Path<Date> = {
  is: 'a date',
  fits: (value) => value instanceof Date && Number.isFinite(value.getTime()),
};
export const bytes: Path<Buffer> = { is: 'binary', fits: isBson('Binary') };
export const amount: Path<Decimal> = { is: 'a decimal', fits: isBson('Decimal128') };

/** Is `true` or absent. */
export const mark: Path<true> = { is: 'true', fits: (value) => value === true };

/** Anything, because callers choose it. */
export const mixed = <T>(): Path<T> => ({ is: 'a value', fits: (value) => value !== undefined });

const oneOf = <T>(values: readonly T[]): Path<T> => ({
  is: `one of ${values.join(', ')}`,
  fits: (value) => values.some((one) => one === value),
});

export const textOf = <T extends string>(...values: readonly T[]): Path<T> => oneOf(values);
export const numberOf = <T extends number>(...values: readonly T[]): Path<T> => oneOf(values);

/** The same for each of these names. */
export const each = <Name extends string, T>(names: readonly Name[], path: Path<T>) =>
  Object.fromEntries(names.map((name) => [name, path])) as Record<Name, Path<T>>;

export const list = <T>(items: Path<T>): Path<T[]> => ({ is: 'a list', fits: Array.isArray, items });

/** By names without dots and dollars. */
export const map = <T>(items: Path<T>): Path<Record<string, T>> => ({
  is: 'an object with plain names',
  fits: (value) => isObject(value) && Object.keys(value).every((name) => !/[.$]/.test(name)),
  items,
});

const object = { is: 'an object', fits: isObject };

export const part = <Shape extends Members>(members: Shape): Path<DocumentOf<Shape>> => ({
  ...object,
  members,
});

/** A part whose type another package has. */
export const partOf = <T>(members: Definition<T>): Path<T> => ({ ...object, members });

/** Always there, perhaps as `null`. */
export const nullable = <T>({ carries: _, ...path }: Path<T>): Path<T | null> => ({
  ...path,
  mayBeNull: true,
});

/** May be absent. It is stored as `null` only where `null` is a value of its own. */
export const optional = <T>({ carries: _, ...path }: Path<T>): Path<T | undefined> => ({
  ...path,
  mayBeAbsent: true,
});
