/** `null` for an optional member that the interface names means that the member is absent. Made once for each schema; copies only what changes. */

import { isJsonObject, mapSame } from '@roster/contract';
import type { TSchema } from '@sinclair/typebox';

/** The same value when there was nothing to take away. */
export type WithoutNulls = (value: unknown) => unknown;

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

const typesOf = ({ type }: Node): unknown[] =>
  Array.isArray(type) ? type : type === undefined ? [] : [type];

/** Where `null` has a meaning of its own, or anything may stand, it stays. */
const takesNull = (schema: Node): boolean => {
  const types = typesOf(schema);
  if (types.length > 0) return types.includes('null');
  const { anyOf } = schema;
  return Array.isArray(anyOf) ? anyOf.some((one) => isNode(one) && takesNull(one)) : true;
};

const listWithoutNulls =
  (element: WithoutNulls): WithoutNulls =>
  (value) =>
    Array.isArray(value) ? mapSame<unknown>(value, element) : value;

const objectWithoutNulls =
  (optional: readonly string[], inner: readonly (readonly [string, WithoutNulls])[]): WithoutNulls =>
  (value) => {
    if (!isJsonObject(value)) return value;
    const gone = optional.filter((name) => value[name] === null && Object.hasOwn(value, name));
    const changed = inner.flatMap(([name, change]) => {
      if (!Object.hasOwn(value, name)) return [];
      const next = change(value[name]);
      return next === value[name] ? [] : [[name, next] as const];
    });
    if (gone.length === 0 && changed.length === 0) return value;
    const changes = new Map<string, unknown>(changed);
    // From entries, not by assignment: `__proto__` is only a name here.
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, one]) =>
        gone.includes(name) ? [] : [[name, changes.has(name) ? changes.get(name) : one]],
      ),
    );
  };

/** Nothing where no `null` could be taken away. `apart`: members that are judged by themselves. */
export function createWithoutNulls(
  schema: TSchema,
  apart: ReadonlySet<string> = new Set(),
): WithoutNulls | undefined {
  const { properties, required, items }: Node = schema;
  if (isNode(items)) {
    const element = createWithoutNulls(items as TSchema);
    return element && listWithoutNulls(element);
  }
  if (!isNode(properties)) return undefined;
  const members = Object.entries(properties).filter((member): member is [string, TSchema] =>
    isNode(member[1]),
  );
  const must: ReadonlySet<unknown> = new Set(Array.isArray(required) ? required : []);
  const optional = members.flatMap(([name, member]) => (must.has(name) || takesNull(member) ? [] : [name]));
  const inner = members.flatMap(([name, member]) => {
    const change = apart.has(name) ? undefined : createWithoutNulls(member);
    return change ? [[name, change] as const] : [];
  });
  return optional.length + inner.length > 0 ? objectWithoutNulls(optional, inner) : undefined;
}
