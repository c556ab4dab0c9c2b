/**
 * Says in the document of requests what the judge does besides holding them to their schemas: an optional member may be `null`, which
 * means that it is absent; and what rules with sentences and codes of their own ask for, as far as a schema can say it (`x-published`).
 */
import { type PlainSchema, publishedKeyword } from '@roster/contract';

type Components = Record<string, PlainSchema>;

const isSchema = (value: unknown): value is PlainSchema => typeof value === 'object' && value !== null;

const prefix = '#/components/schemas/';

const absent = { type: 'null', description: 'Absent.' };

const orNull = (schema: PlainSchema, components: Components): PlainSchema => {
  const { $ref, type, enum: values } = schema;
  if (typeof $ref === 'string') {
    const { description } = components[$ref.slice(prefix.length)] ?? {};
    return { description, anyOf: [{ $ref }, absent] };
  }
  if (type === undefined) return schema;
  const types: unknown[] = Array.isArray(type) ? type : [type];
  if (types.includes('null')) return schema;
  return {
    ...schema,
    type: [...types, 'null'],
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
};

/** Changes the schema and the components that it refers to. */
export function publishRules(
  schema: PlainSchema,
  components: Components,
  seen = new Set<PlainSchema>(),
): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  Object.assign(schema, schema[publishedKeyword]);
  delete schema[publishedKeyword];
  const { $ref, properties, required, items, anyOf } = schema;
  const inner = [items, ...(Array.isArray(anyOf) ? anyOf : [])];
  if (typeof $ref === 'string') inner.push(components[$ref.slice(prefix.length)]);
  if (isSchema(properties)) {
    const must: ReadonlySet<unknown> = new Set(Array.isArray(required) ? required : []);
    for (const [name, member] of Object.entries(properties)) {
      inner.push(member);
      if (isSchema(member) && !must.has(name)) properties[name] = orNull(member, components);
    }
  }
  for (const one of inner) if (isSchema(one)) publishRules(one, components, seen);
}
