/** The OpenAPI 3.1 document, made from the table of operations. */

import {
  createPublisher,
  type Example,
  errorShapes,
  type OperationOf,
  type PlainSchema,
  type Publisher,
  type RejectionCode,
  rejections,
  rejectionsOf,
  operations as table,
  version,
} from '@roster/contract';
import type { TObject, TSchema } from '@sinclair/typebox';
import { bodyLimitOf } from './body-limits.ts';
import { clientSample } from './client-sample.ts';
import { answerHeadersOf, headerComponents, requestHeadersOf } from './headers.ts';
import { publishRules } from './published-rules.ts';

const info = {
  title: 'Roster',
  version,
  summary: 'User data, identity and messaging: one correct profile per person.',
  description:
    'Every call carries `Authorization: Bearer <API key>`. Bodies are JSON; `null` for an optional member means that it is absent, and removes an attribute. A 2xx answer to a request that changes something means that it is on disk; ' +
    '`GET /requests/{id}` with its `X-Request-Id` tells what became of each entry.',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key that holds the permission of the operation.',
  },
  scimToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The SCIM token of a company. It is valid only together with its `X-Request-Origin`.',
  },
  requestOrigin: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Request-Origin',
    description: 'The origin of the calling service, for which the SCIM token was made.',
  },
};

const security = { key: [{ apiKey: [] }], scim: [{ scimToken: [], requestOrigin: [] }] };

interface Parameter {
  schema?: PlainSchema;
  $ref?: string;
}

type Paths = Record<string, Record<string, OpenApiOperation>>;

export function openapi(operations: readonly OperationOf<string>[] = table) {
  const publisher = createPublisher();
  const paths = pathsOf(operations, publisher);
  const schemas = publisher.components();
  publishAllRules(paths, schemas);
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/', description: 'The server that this document comes from.' }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: { schemas, ...headerComponents, securitySchemes },
  };
}

export type OpenApiDocument = ReturnType<typeof openapi>;

/** Of requests; answers are as their schemas say. */
function publishAllRules(paths: Paths, components: Record<string, PlainSchema>): void {
  const seen = new Set<PlainSchema>();
  for (const { requestBody, parameters } of Object.values(paths).flatMap((path) => Object.values(path)))
    for (const { schema } of [...parameters, ...Object.values(requestBody?.content ?? {})])
      if (schema) publishRules(schema, components, seen);
}

function pathsOf(operations: readonly OperationOf<string>[], publisher: Publisher): Paths {
  const paths: Paths = {};
  for (const operation of operations) {
    const path = paths[operation.path] ?? {};
    paths[operation.path] = path;
    path[operation.method.toLowerCase()] = operationObject(operation, publisher);
  }
  return paths;
}

export type OpenApiOperation = ReturnType<typeof operationObject>;

function operationObject(operation: OperationOf<string>, publisher: Publisher) {
  const { id, tag, summary, description, request, permission, limit, auth = 'key' } = operation;
  const body = request.body && requestBody(operation, request.body, publisher);
  const named: Parameter[] = [
    ...parameters('path', request.params, publisher),
    ...parameters('query', request.query, publisher),
    ...parameters('header', request.headers, publisher),
    ...requestHeadersOf(operation),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: security[auth],
    parameters: named,
    ...(body ? { requestBody: body } : {}),
    responses: responsesOf(operation, publisher),
    'x-permission': permission,
    'x-limit': { ...limit },
    'x-codeSamples': [
      { lang: 'JavaScript', label: 'Node (@roster/client)', source: clientSample(operation) },
    ],
  };
}

function parameters(
  place: 'path' | 'query' | 'header',
  schema: TObject | undefined,
  publisher: Publisher,
): Parameter[] {
  if (!schema) return [];
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (schema.required ?? []).includes(name),
    description: property.description,
    schema: publisher.publish(property),
  }));
}

type Examples = Record<string, { summary: string; value: unknown }>;

/** By content type. */
type Content = Record<string, { schema: PlainSchema; examples?: Examples; [refusedExamples]?: Examples }>;

const isTaken = ({ response }: Example): boolean => response.status < 300;

function requestBody(operation: OperationOf<string>, body: TSchema, publisher: Publisher) {
  const bodiesOf = (taken: boolean) =>
    examplesOf(
      operation.examples.filter((one) => isTaken(one) === taken),
      ({ request }) => request.body,
    );
  const [examples, others] = [bodiesOf(true), bodiesOf(false)];
  const content: Content = {
    'application/json': {
      schema: publisher.publishInPlace(body),
      ...(examples ? { examples } : {}),
      ...(others ? { [refusedExamples]: others } : {}),
    },
  };
  return { required: true, content };
}

/** Readers of the document take its examples for requests that are accepted. */
export const refusedExamples = 'x-refused-examples';

function responsesOf(operation: OperationOf<string>, publisher: Publisher) {
  const responses: Record<string, OpenApiResponse> = {};
  for (const [status, schema] of Object.entries(operation.responses))
    responses[status] = response(operation, Number(status), {
      description: schema.description ?? 'Success.',
      schema: publisher.publish(schema),
    });
  const error = errorShapes[operation.dialect ?? 'rest'];
  for (const [status, codes] of byStatus(rejectionsOf(operation)))
    responses[status] ??= response(operation, status, {
      description: errorDescription(operation, codes),
      schema: publisher.publish(error),
    });
  return responses;
}

export type OpenApiResponse = ReturnType<typeof response>;

function response(
  operation: OperationOf<string>,
  status: number,
  { description, schema }: { description: string; schema: PlainSchema },
) {
  const own = operation.examples.filter((example) => example.response.status === status);
  const examples = examplesOf(own, (example) => example.response.body);
  const headers = answerHeadersOf(operation, status);
  const content: Content =
    status === 204 ? {} : { 'application/json': { schema, ...(examples ? { examples } : {}) } };
  return { description, headers, content };
}

function examplesOf(examples: readonly Example[], pick: (example: Example) => unknown) {
  const named = examples.map(
    (example) => [slug(example.title), { summary: example.title, value: pick(example) }] as const,
  );
  const present = named.filter(([, { value }]) => value !== undefined);
  return present.length > 0 ? Object.fromEntries(present) : undefined;
}

function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

function byStatus(codes: RejectionCode[]): [number, RejectionCode[]][] {
  const statuses = [...new Set(codes.map((code) => rejections[code].status))].sort((a, b) => a - b);
  return statuses.map((status) => [status, codes.filter((code) => rejections[code].status === status)]);
}

function errorDescription(operation: OperationOf<string>, codes: RejectionCode[]): string {
  const when = (code: RejectionCode): string =>
    code === 'BODY_TOO_LARGE' ? bodyLimitOf(operation) : rejections[code].description;
  return codes.map((code) => `\`${code}\`: ${when(code)}`).join('\n\n');
}
