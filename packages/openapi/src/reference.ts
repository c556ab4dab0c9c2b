/** docs/api.md: the reference for people, made from the OpenAPI document. */

import type { OperationOf, PlainSchema } from '@roster/contract';
import { endpointTable } from './endpoint-table.ts';
import { limitsSection } from './limits.ts';
import { code, generated, json, page, table } from './markdown.ts';
import {
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiResponse,
  refusedExamples,
} from './openapi.ts';
import { pricesSection } from './prices.ts';

interface Place {
  method: string;
  path: string;
  operation: OpenApiOperation;
}

export function referencePage(document: OpenApiDocument, operations: readonly OperationOf<string>[]): string {
  return page([
    generated,
    '# The interface',
    document.info.description,
    'What goes wrong is listed in [errors.md](errors.md). The same as a machine-readable document: [openapi.json](openapi.json), and `GET /openapi.json` of a running server.',
    endpointTable(operations),
    headersSection(document),
    limitsSection(),
    pricesSection(operations),
    ...placesOf(document).flatMap(operationSection),
    '## Shapes',
    ...Object.entries(document.components.schemas).map(([name, schema]) => shapeSection(name, schema)),
  ]);
}

function placesOf({ paths }: OpenApiDocument): Place[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function headersSection({ components }: OpenApiDocument): string {
  const asked = Object.values(components.parameters);
  const answered = Object.entries(components.headers);
  return page([
    '## Headers',
    table(
      ['Header', 'Of', 'Meaning'],
      [
        [code('Authorization'), 'request', '`Bearer <API key>`. Required.'],
        ...asked.map(({ name, description }) => [code(name), 'request', description]),
        ...answered.map(([name, { description }]) => [code(name), 'answer', description]),
      ],
    ),
  ]).trimEnd();
}

function operationSection({ method, path, operation }: Place): string[] {
  const { operationId, summary, description, requestBody } = operation;
  const { pool, requests, seconds } = operation['x-limit'];
  return [
    `## <a id="${operationId}"></a>${operationId}`,
    `**${summary}.** ${code(`${method} ${path}`)}`,
    description,
    `Permission ${code(operation['x-permission'])}. Limit: ${requests.toLocaleString('en-US')} requests per ${period(seconds)} (pool ${code(pool)}), unless the workspace sets another.`,
    parametersTable(operation),
    requestBody ? 'Body:' : '',
    requestBody ? membersTable(requestBody.content['application/json']?.schema ?? {}) : '',
    'Answers:',
    table(['Status', 'Body', 'When'], Object.entries(operation.responses).map(responseRow)),
    ...examplesOf(operation),
  ];
}

function period(seconds: number): string {
  const named: Record<number, string> = { 1: 'second', 60: 'minute', 3600: 'hour', 86400: 'day' };
  return named[seconds] ?? `${seconds} seconds`;
}

function parametersTable({ parameters }: OpenApiOperation): string {
  const own = (
    parameters as { name?: string; in: string; required: boolean; description: string; schema: PlainSchema }[]
  ).filter(({ name }) => name !== undefined);
  if (own.length === 0) return '';
  const rows = own.map(({ name, in: where, required, description, schema }) => [
    code(name ?? ''),
    where,
    typeOf(schema),
    required ? 'yes' : 'no',
    description,
  ]);
  return table(['Parameter', 'In', 'Type', 'Required', 'Meaning'], rows);
}

function responseRow([status, { description, content }]: [string, OpenApiResponse]): string[] {
  const schema = content['application/json']?.schema;
  return [status, schema ? typeOf(schema) : '', description];
}

function examplesOf({ requestBody, responses }: OpenApiOperation): string[] {
  const content = requestBody?.content['application/json'];
  const asked = { ...content?.examples, ...content?.[refusedExamples] };
  const answered = Object.entries(responses).flatMap(([status, { content }]) =>
    Object.entries(content['application/json']?.examples ?? {}).map(([name, example]) => ({
      name,
      status,
      example,
    })),
  );
  return answered.flatMap(({ name, status, example }) => [
    `Example: ${example.summary.toLowerCase()}.`,
    asked[name] ? json(asked[name].value) : '',
    `Answer ${status}:`,
    json(example.value),
  ]);
}

function shapeSection(name: string, schema: PlainSchema): string {
  return page([
    `### <a id="${name}"></a>${name}`,
    String(schema.description ?? ''),
    schema.properties ? membersTable(schema) : `Type: ${typeOf(schema)}.`,
  ]).trimEnd();
}

function membersTable(schema: PlainSchema): string {
  return table(['Field', 'Type', 'Required', 'Meaning'], memberRows(schema));
}

/** Members of an object that has no name of its own follow it: `schedule`, `schedule.time`. */
function memberRows(schema: PlainSchema, place = ''): string[][] {
  const members = (schema.properties ?? {}) as Record<string, PlainSchema>;
  const required = (schema.required ?? []) as string[];
  const rows = Object.entries(members).flatMap(([name, member]) => [
    [
      code(place + name),
      typeOf(member),
      required.includes(name) ? 'yes' : 'no',
      String(member.description ?? ''),
    ],
    ...memberRows(member, `${place}${name}.`),
    ...memberRows((member.items ?? {}) as PlainSchema, `${place}${name}[].`),
  ]);
  const others = schema.additionalProperties;
  if (place === '' && typeof others === 'object' && others !== null)
    rows.push([
      'any other name',
      typeOf(others as PlainSchema),
      'no',
      String((others as PlainSchema).description ?? ''),
    ]);
  return rows;
}

function typeOf(schema: PlainSchema): string {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return `[${name}](#${name})`;
  }
  if (Array.isArray(schema.anyOf)) return (schema.anyOf as PlainSchema[]).map(typeOf).join(' or ');
  const types = [schema.type].flat().filter((type) => type !== undefined);
  const words = types.map((type) =>
    type === 'array' && schema.items ? arrayOf(schema.items) : String(type),
  );
  return words.length > 0 ? words.join(' or ') : 'anything';
}

function arrayOf(items: unknown): string {
  return `array of ${typeOf(items as PlainSchema)}`;
}
