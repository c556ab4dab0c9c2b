/**
 * The members of stored documents, in mongoose's words. A member is always there, unless it is `optional`: then it is absent, and `null` is stored only
 * where it is a value of its own (`nullable`).
 */
import mongoose, { type InferRawDocType } from 'mongoose';

const { Schema } = mongoose;
const { Boolean: Flag, Date: Time, Decimal128, Mixed, Number: Numeric, String: Text } = Schema.Types;

// A value of another type is a bug of ours: a model refuses it, and does not make it fit.
for (const type of [Flag, Time, Numeric, Text]) type.cast(false);
// An empty text is a text.
Text.checkRequired((value) => typeof value === 'string');

/** Is `true` or absent. */
class Mark extends Flag {
  override toJSONSchema(): object {
    return { bsonType: 'bool', enum: [true] };
  }
}
Object.assign(Schema.Types, { Mark });

/** @public Declarations name it. For the compiler, where mongoose infers nothing or too much: there is no such member. */
export interface Hint<T> {
  readonly __rawDocTypeHint: T;
}

const hinted = <T, Member extends object>(member: Member) => member as Member & Hint<T>;

/** The type of the documents that have these members. */
export type DocumentOf<Members> = InferRawDocType<Members, { typeKey: 'type'; _id: false }>;

/** @public Declarations name it. */
export interface Member {
  readonly type: unknown;
  readonly required?: true;
}

type Required = Member & { readonly required: true };

type ValueOf<One> = DocumentOf<{ one: One }> extends { one: infer T } ? T : never;

export const text = { type: String, required: true } as const;
export const number = { type: Number, required: true } as const;
export const flag = { type: Boolean, required: true } as const;
export const date = { type: Date, required: true } as const;
export const bytes = { type: Buffer, required: true } as const;
/** Exact: 34 digits. */
export const amount = { type: Decimal128, required: true } as const;

const isTrue = (value: unknown): boolean => value === undefined || value === true;

export const mark = hinted<true, Required>({ type: 'Mark', required: true, validate: isTrue } as Required);

export const textOf = <const T extends string>(...values: readonly T[]) =>
  ({ type: String, enum: values, required: true }) as const;

export const numberOf = <const T extends number>(...values: readonly T[]) =>
  ({ type: Number, enum: values, required: true }) as const;

/** Anything, because callers choose it. */
export const mixed = <T>() => hinted<T, Required>({ type: Mixed, required: true });

/** By names without dots and dollars. */
export const map = <Item extends Required>(of: Item) =>
  hinted<Record<string, ValueOf<Item>>, Required>({ type: Map, of, required: true } as Required);

export const list = <Item extends Required>(item: Item) =>
  hinted<ValueOf<Item>[], Required>({ type: [item], required: true, default: undefined } as Required);

const asPart: mongoose.SchemaOptions = {
  ...{ _id: false, id: false, strict: 'throw', minimize: false },
  // `on` and `remove` are members.
  suppressReservedKeysWarning: true,
};

/** A document within a document. */
export const part = <Members extends object>(members: Members) =>
  hinted<DocumentOf<Members>, Required>({
    type: new Schema(members as mongoose.SchemaDefinition, asPart),
    required: true,
  });

/** May be absent. */
export const optional = <One extends Required>({ required: _, ...member }: One) =>
  ({ ...member, allowNull: false }) as Omit<One, 'required'> & { readonly allowNull: false };

/** Always there, perhaps as `null`. */
export const nullable = <One extends Required>({ required: _, ...member }: One) =>
  hinted<ValueOf<One> | null, Required>(member as unknown as Required);

/** The same for each of these names. */
export const each = <Name extends string, One>(names: readonly Name[], member: One) =>
  Object.fromEntries(names.map((name) => [name, member])) as Record<Name, One>;
