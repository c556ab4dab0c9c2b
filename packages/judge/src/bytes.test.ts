/** Lengths that are bytes are bytes in every operation, wherever an external id or a part of an alias may stand. */

import { type Example, operations } from '@roster/contract';
import type { TSchema } from '@sinclair/typebox';
import { createLateJudge } from './judge.ts';
import { settings } from './refused/refused.ts';

const judge = createLateJudge();

const limitOf = (name: string): number | undefined => {
  if (/external_(?:user_)?ids?$/.test(name)) return 987;
  return /alias_(?:name|label)$/.test(name) ? 236 : undefined;
};

/** In characters there is room for all of it: two bytes each. */
const textOf = (bytes: number): string => `${'\u00fc'.repeat(Math.floor(bytes / 2))}${'x'.repeat(bytes % 2)}`;

type Path = (string | number)[];

interface Place {
  path: Path;
  most: number;
}

const placesIn = (value: unknown, path: Path = []): Place[] => {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inner]) =>
      placesIn(inner, [...path, Array.isArray(value) ? Number(name) : name]),
    );
  const name = String(path.findLast((step) => typeof step === 'string'));
  const most = limitOf(name);
  return most === undefined ? [] : [{ path, most }];
};

const put = (from: object, path: Path, value: string): object => {
  const copy = structuredClone(from);
  let at = copy as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) at = at[step] as Record<string | number, unknown>;
  at[path.at(-1) ?? ''] = value;
  return copy;
};

type Request = { body?: unknown; query?: unknown };

const complaint = (verdict: ReturnType<typeof judge>): string | undefined => {
  const { message, errors } = verdict.ok
    ? {
        message: undefined,
        errors: verdict.answer.body.errors ?? (verdict.accepted.body as { errors?: unknown })?.errors,
      }
    : verdict.rejection;
  return JSON.stringify([message, errors]);
};

const accepts = (verdict: ReturnType<typeof judge>): boolean => !/bytes/.test(complaint(verdict) ?? '');

/** In which nothing is refused. */
const isGood = ({ response: { status, body } }: Example): boolean =>
  status < 300 && !Object.hasOwn(Object(body), 'errors');

const cases = operations.flatMap((operation) =>
  (operation.dialect === 'scim' ? [] : operation.examples.filter(isGood)).flatMap(({ title, request }) =>
    placesIn({ body: request.body, query: request.query }).map(({ path, most }) => ({
      name: `${operation.id}, ${title}: ${path.join('.')}`,
      operation,
      request: request as Request,
      path,
      most,
    })),
  ),
);

it('every operation that names people by them is there', () => {
  const named = (schema: TSchema | undefined): boolean =>
    JSON.stringify(schema ?? {}).match(/"[^"]*(external_id|alias_name)[^"]*":/) !== null;
  const all = operations.filter(
    ({ request, dialect }) => dialect !== 'scim' && (named(request.body) || named(request.query)),
  );
  expect(new Set(cases.map(({ operation }) => operation.id))).toEqual(new Set(all.map(({ id }) => id)));
});

it.each(cases)('$name', ({ operation, request, path, most }) => {
  const fits = put(request, path, textOf(most)) as Request;
  const not = put(request, path, textOf(most + 1)) as Request;
  expect(accepts(judge(operation, fits as never, settings))).toBe(true);
  expect(accepts(judge(operation, not as never, settings))).toBe(false);
});
