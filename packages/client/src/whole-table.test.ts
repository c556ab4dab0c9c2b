/** Of every operation: what is sent arrives, what is answered is told, and each documented error becomes its class. */
import {
  errorBodyIn,
  errorHeadersOf,
  operations,
  Rejection,
  rejections,
  rejectionsOf,
} from '@roster/contract';
import fc from 'fast-check';
import { about, RosterError } from './index.ts';
import { type Arrived, judge, settings, useTestbed } from './testbed.ts';

type Operation = (typeof operations)[number];
type Schema = { [keyword: string]: unknown };

const testbed = useTestbed({ scim: { token: 't', origin: 'https://idp.example' }, retryFor: 0 });

const textOf = ({ minLength = 0, maxLength = 12, pattern }: Schema): fc.Arbitrary<unknown> => {
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern));
  const least = Number(minLength);
  return fc.string({
    unit: 'grapheme',
    minLength: least,
    maxLength: Math.max(least, Math.min(12, Number(maxLength))),
  });
};

const wholeOf = ({ minimum = -1000, maximum = 1000 }: Schema): fc.Arbitrary<unknown> =>
  fc.integer({ min: Math.max(-1000, Number(minimum)), max: Math.min(1000, Number(maximum)) });

const listOf = ({ items, minItems = 0, maxItems = 3 }: Schema): fc.Arbitrary<unknown> =>
  fc.array(items ? anyOf(items as Schema) : fc.constant('x'), {
    minLength: Number(minItems),
    maxLength: Math.max(Number(minItems), Math.min(3, Number(maxItems))),
  });

const objectOf = ({
  properties = {},
  required = [],
  additionalProperties,
}: Schema): fc.Arbitrary<unknown> => {
  const members = Object.entries(properties as Record<string, Schema>);
  const named = fc.record(Object.fromEntries(members.map(([name, member]) => [name, anyOf(member)])), {
    requiredKeys: required as string[],
  });
  if (typeof additionalProperties !== 'object' || additionalProperties === null) return named;
  const more = fc.dictionary(fc.stringMatching(/^[a-z]{3,8}$/), anyOf(additionalProperties as Schema), {
    maxKeys: 2,
  });
  return fc.tuple(more, named).map(([others, known]) => ({ ...others, ...known }));
};

const kinds: { [kind: string]: (schema: Schema) => fc.Arbitrary<unknown> } = {
  string: textOf,
  integer: wholeOf,
  number: (schema) =>
    fc.oneof(
      wholeOf(schema),
      fc.double({ min: 0, max: 1000, noNaN: true }).map((n) => n + 0),
    ),
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
  array: listOf,
  object: objectOf,
};

function anyOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const ways = schema.type === undefined ? schema.anyOf : undefined;
  if (Array.isArray(ways)) return fc.oneof(...ways.map(anyOf));
  const types = [schema.type ?? 'string'].flat();
  return fc.oneof(...types.map((type) => (kinds[String(type)] ?? textOf)(schema)));
}

interface Sent {
  params: unknown[];
  body: unknown;
  query: Record<string, unknown> | undefined;
}

const isSegment = (value: unknown): boolean => typeof value === 'string' && value !== '.' && value !== '..';

const sentTo = ({ request: { params, query, body } }: Operation): fc.Arbitrary<Sent> =>
  fc.record({
    params: fc.tuple(
      ...Object.values(params?.properties ?? {}).map((member) =>
        anyOf(member).filter((value) => isSegment(value) && value !== ''),
      ),
    ),
    body: body ? anyOf(body) : fc.constant(undefined),
    query: query ? (anyOf(query) as fc.Arbitrary<Record<string, unknown>>) : fc.constant(undefined),
  });

/** The function under the words of the id. */
const functionOf = (id: string): ((...args: unknown[]) => Promise<object>) => {
  const inside = (place: unknown, word: string): unknown => Reflect.get(Object(place), word);
  const found = id.split('.').reduce<unknown>(inside, testbed.roster);
  if (typeof found !== 'function') throw new Error(`there is no function ${id}`);
  return (...args) => found(...args);
};

const call = ({ id, request }: Operation, { params, body, query }: Sent): Promise<object> =>
  functionOf(id)(...params, ...(request.body ? [body] : []), ...(request.query ? [query] : []));

/** As the ingress answers: refusals of the judge, receipts, and for results what the example says. */
const asJudged = ({ params, query, body }: Arrived, operation: Operation) => {
  const input = { params, body, ...(query !== undefined && { query: query as Record<string, string> }) };
  const verdict = judge(operation, input, settings);
  if (!verdict.ok) {
    const { rejection } = verdict;
    return {
      status: rejection.status,
      body: errorBodyIn(operation.dialect, rejection),
      headers: errorHeadersOf(rejection),
    };
  }
  return { status: operation.success, ...(operation.success !== 204 && { body: verdict.answer.body }) };
};

/** As JSON and addresses carry it: `undefined` is left out, a list of nothing is nothing. */
const carried = (query: Record<string, unknown> | undefined) =>
  query &&
  Object.fromEntries(
    Object.entries(query).filter(
      ([, value]) => value != null && !(Array.isArray(value) && value.length === 0),
    ),
  );

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
  it('carries whatever its schemas allow, and tells what the service says', async () => {
    const codes = new Set<string>(rejectionsOf(operation));
    await fc.assert(
      fc.asyncProperty(sentTo(operation), async (sent) => {
        testbed.answer(asJudged);
        const answer = await call(operation, sent).catch((error: unknown) => error);
        const [arrived] = testbed.arrived;
        expect(arrived?.id).toBe(operation.id);
        expect(Object.values(arrived?.params ?? {})).toEqual(sent.params);
        expect(arrived?.body).toEqual(
          sent.body === undefined ? undefined : JSON.parse(JSON.stringify(sent.body)),
        );
        expect(arrived?.query).toEqual(carried(sent.query));
        expect(arrived?.headers['idempotency-key'] !== undefined).toBe(operation.kind === 'write');
        if (answer instanceof RosterError) expect(codes).toContain(answer.code);
        else expect(about(answer as object)?.status).toBe(operation.success);
      }),
      { numRuns: 20 },
    );
  });
});

const classes: { [status: number]: string } = {
  400: 'InvalidRequestError',
  401: 'AccessError',
  403: 'AccessError',
  404: 'NotFoundError',
  405: 'InvalidRequestError',
  408: 'InvalidRequestError',
  409: 'ConflictError',
  412: 'ConflictError',
  413: 'InvalidRequestError',
  415: 'InvalidRequestError',
  422: 'InvalidRequestError',
  429: 'RateLimitError',
  431: 'InvalidRequestError',
  500: 'ServerError',
  503: 'UnavailableError',
};

/** Once in each dialect: errors are read in one place for all operations. */
const errors = new Map(
  operations.flatMap((operation) =>
    rejectionsOf(operation).map((code) => [`${operation.dialect} ${code}`, { operation, code }] as const),
  ),
);

it.each([...errors.values()])(
  'the error $code of $operation.id becomes its class',
  async ({ operation, code }) => {
    const [example] = operation.examples;
    const { params = {}, body, query } = example?.request ?? {};
    const rejection = new Rejection(code);
    const { status } = rejection;
    testbed.answer(() => ({
      status,
      body: errorBodyIn(operation.dialect, rejection),
      headers: { ...errorHeadersOf(rejection), 'x-request-id': 'r1' },
    }));
    const error = await call(operation, { params: Object.values(params), body, query }).catch(
      (one: unknown) => one,
    );
    expect(error).toBeInstanceOf(RosterError);
    const { remedy, message } = rejections[code];
    const told = { status, code, remedy, requestId: 'r1', operation: operation.id };
    expect(error).toMatchObject({ name: classes[status], ...told });
    if (code !== 'BODY_NOT_JSON') expect((error as Error).message).toBe(message);
  },
);

it('reads the code of the body where a proxy has taken the headers away', async () => {
  const { status, message, code } = new Rejection('ACCESS_DENIED');
  testbed.answer(() => ({ status, body: { message, code } }));
  const error = await testbed.roster.users.track({ events: [] }).catch((one: unknown) => one);
  expect(error).toMatchObject({ status: 403, code: 'ACCESS_DENIED' });
});

it('has no word in an id that the client uses itself', () => {
  const words = operations.flatMap(({ id }) => id.split('.'));
  for (const used of ['batch', 'call', 'then', 'webhooks']) expect(words).not.toContain(used);
});
