/**
 * A shape says what a stored document has: for mongoose, and as a type. Where the type comes from another package the compiler compares both: it refuses a
 * definition with a member too many, a member too few, another type, or a member that may be absent in only one of them.
 */
import { Schema } from 'mongoose';
import type { Decimal } from '../connection/db.ts';

/** The definition of a member for mongoose. It is plain data: a process that only writes does not pay for schemas. */
export interface Described {
  type: unknown;
  required?: true;
  allowNull?: false;
  default?: null | undefined;
  enum?: readonly unknown[];
  of?: Described;
  validate?(value: unknown): boolean;
}

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

export const text: Path<string> = { type: String, required: true };
export const number: Path<number> = { type: Number, required: true };
export const flag: Path<boolean> = { type: Boolean, required: true };
export const date: Path<Date> = { type: Date, required: true };
export const bytes: Path<Buffer> = { type: Buffer, required: true };
export const amount: Path<Decimal> = { type: Schema.Types.Decimal128, required: true };

/** Is `true` or absent. */
export const mark: Path<true> = { type: Boolean, required: true, validate: (value) => value === true };

/** mongoose does not look into it, because callers choose the names in it. */
export const mixed = <T>(): Path<T> => ({ type: Schema.Types.Mixed, default: null });

export const textOf = <T extends string>(...values: readonly T[]): Path<T> => ({
  type: String,
  required: true,
  enum: values,
});

export const numberOf = <T extends number>(...values: readonly T[]): Path<T> => ({
  type: Number,
  required: true,
  enum: values,
});

/** The same for each of these names. */
export const each = <Name extends string, T>(names: readonly Name[], path: Path<T>) =>
  Object.fromEntries(names.map((name) => [name, path])) as Record<Name, Path<T>>;

export const list = <T>(item: Path<T>): Path<T[]> => ({ type: [item], required: true, default: undefined });

/** By names without dots and dollars: mongoose refuses others. */
export const map = <T>(item: Path<T>): Path<Record<string, T>> => ({ type: Map, required: true, of: item });

/** The type of a path that is a document within a document. */
export class DocumentPart {
  constructor(readonly members: Readonly<Record<string, Described>>) {}
}

export const part = <Shape extends Readonly<Record<string, Described>>>(
  shape: Shape,
): Path<DocumentOf<Shape>> => ({
  type: new DocumentPart(shape),
  required: true,
});

/** A part whose type another package has. */
export const partOf = <T>(definition: Definition<T>): Path<T> => ({
  type: new DocumentPart(definition),
  required: true,
});

/** Always there, perhaps as `null`. */
export const nullable = <T>({ type, enum: values = [] }: Path<T>): Path<T | null> => ({
  type,
  default: null,
  enum: values,
});

/** May be absent. It is stored as `null` only where `null` is a value of its own. */
export const optional = <T>({
  required,
  default: _,
  carries: _carried,
  ...path
}: Path<T>): Path<T | undefined> => ({
  ...path,
  ...(Array.isArray(path.type) && { default: undefined }),
  ...(required && { allowNull: false }),
});
