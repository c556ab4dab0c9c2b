/**
 * Tells mongoose the type of a member. The compiler compares both: it refuses a definition with a member too many, a member
 * too few, another type, or a member that may be absent in only one of them.
 */
import { Schema } from 'mongoose';
import type { Decimal } from './decimal.ts';
import type { Definition, Described, Path } from './path.ts';

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

/** Every value of the union is a member here, under itself: so the compiler finds a missing one. */
export const textOf = <T extends string>(values: { readonly [Value in T]: Value }): Path<T> => ({
  type: String,
  required: true,
  enum: Object.values(values),
});

export const numberOf = <T extends number>(values: { readonly [Value in T]: Value }): Path<T> => ({
  type: Number,
  required: true,
  enum: Object.values(values),
});

export const list = <T>(item: Path<T>): Path<T[]> => ({ type: [item], required: true, default: undefined });

/** By names without dots and dollars: mongoose refuses others. */
export const map = <T>(item: Path<T>): Path<Record<string, T>> => ({ type: Map, required: true, of: item });

/** The type of a path that is a document within a document. */
export class Part {
  constructor(readonly members: Readonly<Record<string, Described>>) {}
}

export const part = <T>(definition: Definition<T>): Path<T> => ({
  type: new Part(definition),
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
