/** Shared shapes: a schema with a name becomes a component of the document and is referred to from everywhere else. */
import { type SchemaOptions, type TSchema, Type } from '@sinclair/typebox';

const nameOfShape = Symbol('name of a shared shape');

type Named = TSchema & { [nameOfShape]?: string };

export function shape<T extends TSchema>(name: string, schema: T): T {
  return Object.assign(schema, { [nameOfShape]: name });
}

export function shapeName(schema: TSchema): string | undefined {
  return (schema as Named)[nameOfShape];
}

/** A schema that is written out by hand, with the type it stands for. */
export function plain<T>(schema: SchemaOptions) {
  return Type.Unsafe<T>(schema);
}

export function text(description: string, options: SchemaOptions = {}) {
  return Type.String({ description, ...options });
}

/** Text that may be removed with `null`. */
export function textOrNull(description: string, options: SchemaOptions = {}) {
  return plain<string | null>({ type: ['string', 'null'], description, ...options });
}

export function booleanOrNull(description: string) {
  return plain<boolean | null>({ type: ['boolean', 'null'], description });
}
