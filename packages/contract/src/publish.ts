/** From schemas to the plain JSON of the document: named shapes become components, everything else stays in place. */
import type { TSchema } from '@sinclair/typebox';
import { shapeName } from './shape.ts';

export type PlainSchema = { [keyword: string]: unknown };

export interface Publisher {
  /** The schema as it stands in the document: a reference when it is a shared shape. */
  publish(schema: TSchema): PlainSchema;
  /** The same, but written out at its place even when it has a name. */
  publishInPlace(schema: TSchema): PlainSchema;
  components(): Record<string, PlainSchema>;
}

export function createPublisher(): Publisher {
  const shapes = new Map<string, { schema: TSchema; published: PlainSchema }>();

  function publish(schema: TSchema): PlainSchema {
    const name = shapeName(schema);
    if (name === undefined) return copy(schema);
    if (!shapes.has(name)) register(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  function register(name: string, schema: TSchema): void {
    const entry = { schema, published: {} as PlainSchema };
    shapes.set(name, entry);
    entry.published = copy(schema);
  }

  function copy(schema: TSchema): PlainSchema {
    return Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => [keyword, copyKeyword(keyword, value)]),
    );
  }

  function copyKeyword(keyword: string, value: unknown): unknown {
    if (keyword === 'properties') return mapValues(value as Record<string, TSchema>, publish);
    if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf')
      return (value as TSchema[]).map(publish);
    const isSchema = keyword === 'items' || keyword === 'additionalProperties' || keyword === 'propertyNames';
    return isSchema && typeof value === 'object' ? publish(value as TSchema) : value;
  }

  return {
    publish,
    publishInPlace: copy,
    components: () => mapValues(Object.fromEntries([...shapes].sort(byName)), (entry) => entry.published),
  };
}

function byName(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1;
}

function mapValues<A, B>(record: Record<string, A>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
