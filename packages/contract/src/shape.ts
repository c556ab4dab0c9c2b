/** Shared shapes: a schema with a name becomes a component of the document and is referred to from everywhere else. */
import {
  type ArrayOptions,
  type IntegerOptions,
  type ObjectOptions,
  type SchemaOptions,
  type TOptional,
  type TProperties,
  type TSchema,
  Type,
} from '@sinclair/typebox';
import type { Json } from './types.ts';

const nameOfShape = Symbol('name of a shared shape');

type Named = TSchema & { [nameOfShape]?: string };

export function shape<T extends TSchema>(name: string, schema: T): T {
  return Object.assign(schema, { [nameOfShape]: name });
}

/** A member that may be left out. */
export const maybe = Type.Optional;

/** Members of which each may be left out. */
export const optional = <Members extends TProperties>(members: Members) =>
  Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, maybe(schema)])) as {
    [Name in keyof Members]: TOptional<Members[Name]>;
  };

/** An object without a name: it is written out where it is used. */
export function objectOf<T extends TProperties>(
  description: string,
  properties: T,
  options: ObjectOptions = {},
) {
  return Type.Object(properties, { description, ...options });
}

export function objectShape<T extends TProperties>(
  name: string,
  description: string,
  properties: T,
  options: ObjectOptions = {},
) {
  return shape(name, objectOf(description, properties, options));
}

export function shapeName(schema: TSchema): string | undefined {
  return (schema as Named)[nameOfShape];
}

/** Keywords that stand in the published schema only. */
export const publishedKeyword = 'x-published';

/** A schema that is written out by hand, with the type it stands for. */
export function plain<T>(schema: SchemaOptions) {
  return Type.Unsafe<T>(schema);
}

export function text(description: string, options: SchemaOptions = {}) {
  return Type.String({ description, ...options });
}

/** A name or an id: 1 to 255 characters. */
export function label(description: string) {
  return text(description, { minLength: 1, maxLength: 255 });
}

/** Text that may be removed with `null`. */
export function textOrNull(description: string, options: SchemaOptions = {}) {
  return plain<string | null>({ type: ['string', 'null'], description, ...options });
}

export function flag(description: string) {
  return Type.Boolean({ description });
}

export function booleanOrNull(description: string) {
  return plain<boolean | null>({ type: ['boolean', 'null'], description });
}

export function oneOf<const T extends string>(
  values: readonly T[],
  description: string,
  options: SchemaOptions = {},
) {
  return plain<T>({ type: 'string', enum: [...values], description, ...options });
}

/** An object with members of any name. */
export function anyObject(description: string) {
  return plain<{ [name: string]: Json }>({ type: 'object', additionalProperties: true, description });
}

export function listOf<T extends TSchema>(items: T, description: string, options: ArrayOptions = {}) {
  return Type.Array(items, { description, ...options });
}

/** A whole number. */
export function whole(description: string, options: IntegerOptions = {}) {
  return Type.Integer({ description, ...options });
}

export function countOrNull(description: string, options: SchemaOptions = {}) {
  return plain<number | null>({ type: ['integer', 'null'], minimum: 0, description, ...options });
}

export function count(description: string) {
  return whole(description, { minimum: 0 });
}
