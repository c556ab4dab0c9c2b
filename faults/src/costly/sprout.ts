// Values that a schema allows, as terms.
import { type Term, termOf, text } from './term.ts';

/** A schema as it stands in the table, read as plain JSON Schema. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | object;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
}

export const schemaOf = (schema: unknown): Schema => (schema ?? {}) as Schema;

/** Values that are valid under these names; the names are those of the demo workspace and company. */
const known: Readonly<Record<string, Term>> = {
  external_id: text('p{n}-{i}'),
  external_ids: text('p{n}-{i}'),
  alias_name: text('a{n}-{i}'),
  alias_label: text('crm'),
  email: text('p{n}-{i}@example.com'),
  emails: text('p{n}-{i}@example.com'),
  email_address: text('p{n}-0@example.com'),
  phone: text('+14155550123'),
  phones: text('+14155550123'),
  current_external_id: text('p{n}-{i}'),
  new_external_id: text('q{n}-{i}'),
  time: text('2026-01-31T12:00:00Z'),
  currency: text('EUR'),
  app_id: text('demo-app'),
  app: text('demo-app'),
  subscription_group_id: text('demo-news'),
  subscription_state: text('subscribed'),
  userName: text('u{n}-{s}@example.com'),
  fields_to_export: text('custom_attributes'),
  filter: text('userName sw "u"'),
  givenName: text('Ada'),
  familyName: text('Lovelace'),
};

/** They contradict others that stand beside them. */
const contradicting = new Set([
  'user_alias',
  'service_id',
  'device_id',
  'email_address',
  'push_token_import',
]);

const typeOf = ({ type }: Schema): string | undefined =>
  Array.isArray(type) ? type.find((one) => one !== 'null') : type;

export const objectOf = (
  schema: Schema,
  isFull: boolean,
  isWithin = false,
): Extract<Term, { object: unknown }> => {
  const { properties = {}, required = [] } = schema;
  const wanted = Object.entries(properties).filter(
    ([name]) => required.includes(name) || (isFull ? !contradicting.has(name) : name === 'external_id'),
  );
  const object = Object.fromEntries(wanted.map(([name, of]) => [name, sprout(of, name, isFull, isWithin)]));
  return { object };
};

/** A value that the schema allows: as little as it asks for, or everything that it names, as long as it may be; lists inside of lists are short. */
export const sprout = (schema: Schema, name: string, isFull: boolean, isWithin = false): Term => {
  const kind = typeOf(schema);
  if (kind === 'array')
    return {
      list: sprout(schema.items ?? {}, name, isFull, true),
      count: isFull ? Math.min(schema.maxItems ?? 50, isWithin ? 3 : 50) : 1,
    };
  if (known[name]) return known[name];
  if (schema.const !== undefined) return termOf(schema.const);
  if (schema.enum) return termOf(schema.enum[0]);
  if (schema.anyOf?.[0]) return sprout(schema.anyOf[0], name, isFull, isWithin);
  if (kind === 'object') return objectOf(schema, isFull, isWithin);
  if (kind === 'integer' || kind === 'number') return { raw: '1' };
  if (kind === 'boolean') return { raw: 'true' };
  return {
    text: 'x',
    times: isFull ? Math.min(schema.maxLength ?? 255, 255) : Math.max(1, schema.minLength ?? 1),
  };
};

/** An example of the docs, with names that exist here. */
export const adapted = (term: Term, name: string): Term => {
  if ('object' in term)
    return {
      object: Object.fromEntries(
        Object.entries(term.object).map(([key, value]) => [key, adapted(value, key)]),
      ),
    };
  if ('row' in term) return { row: term.row.map((one) => adapted(one, name)) };
  return 'text' in term ? (known[name] ?? term) : term;
};
