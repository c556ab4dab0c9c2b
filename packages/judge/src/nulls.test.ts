/** `null` for what is not used, in every optional member of every operation: judged like the same request without the member. */

import { type Json, type JsonObject, type OperationOf, operationOf, operations } from '@roster/contract';
import type { TSchema } from '@sinclair/typebox';
import { createLateJudge } from './judge.ts';
import { settings } from './refused/refused.ts';

const judge = createLateJudge();

type Path = (string | number)[];

interface Place {
  path: Path;
  name: string;
}

type Node = { properties?: Record<string, TSchema>; required?: string[]; items?: TSchema };

/** Every object of the request that the schema describes, with the optional members that it may have. */
const placesIn = (schema: Node, value: Json | undefined, path: Path = []): Place[] => {
  if (Array.isArray(value))
    return schema.items
      ? value.flatMap((one, index) => placesIn(schema.items as Node, one, [...path, index]))
      : [];
  if (typeof value !== 'object' || value === null || !schema.properties) return [];
  return Object.entries(schema.properties).flatMap(([name, member]) => [
    ...(schema.required?.includes(name) ? [] : [{ path, name }]),
    ...placesIn(member as Node, value[name], [...path, name]),
  ]);
};

const changed = (body: Json, { path, name }: Place, value: null | undefined): Json => {
  const copy = structuredClone(body);
  let at = copy as Record<string | number, Json>;
  for (const step of path) at = at[step] as Record<string | number, Json>;
  if (value === null) at[name] = null;
  else delete at[name];
  return copy;
};

const cases = operations.flatMap((operation) =>
  operation.examples.flatMap(({ title, request }) =>
    request.body === undefined || !operation.request.body
      ? []
      : placesIn(operation.request.body as Node, request.body).map((place) => ({
          name: `${operation.id}, ${title}: ${[...place.path, place.name].join('.')}`,
          operation,
          request,
          place,
        })),
  ),
);

const told = (operation: OperationOf<string>, request: object, body: Json): unknown => {
  const verdict = judge(operation, { ...request, body }, settings);
  if (verdict.ok) return { entries: verdict.entries, answer: verdict.answer };
  return { code: verdict.rejection.code, message: verdict.rejection.message };
};

const hasOptional = ({ properties = {}, required = [], items }: Node): boolean =>
  Object.keys(properties).length > required.length ||
  [...Object.values(properties), ...(items ? [items] : [])].some((inner) => hasOptional(inner as Node));

it('covers every operation that has an optional member in its body', () => {
  const some = operations.filter(({ request }) => request.body && hasOptional(request.body as Node));
  expect(new Set(cases.map(({ operation: { id } }) => id))).toEqual(new Set(some.map(({ id }) => id)));
  expect(cases.length).toBeGreaterThan(200);
});

it.each(cases)('$name', ({ operation, request, place }) => {
  const body = request.body as Json;
  const without = told(operation, request, changed(body, place, undefined));
  const withNull = told(operation, request, changed(body, place, null));
  expect(withNull).toEqual(without);
});

it('a request that holds no such null is handed on as it came', () => {
  const body: JsonObject = {
    events: [{ external_id: 'a', name: 'x', time: '2025-01-01', properties: null }],
  };
  const verdict = judge(operationOf('users.track'), { body }, settings);
  expect(verdict.ok && verdict.accepted.body).toBe(body);
});
