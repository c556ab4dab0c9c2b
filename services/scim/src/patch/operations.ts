/** The body of a PATCH: RFC 7644 3.5.2, and the forms in which provisioners send it. */
import { isJsonObject, type Json, scimSchemas } from '@roster/contract';
import { limits } from '../limits.ts';
import { badSyntax, badValue, noTarget, tooManyChanges } from '../refusals.ts';
import type { ScimWork } from '../work.ts';

export interface PatchOperation {
  op: 'add' | 'replace' | 'remove';
  path?: string;
  value?: Json;
}

/** One operation at one place. */
export interface PatchChange extends Pick<PatchOperation, 'op'> {
  value: Json | undefined;
  /** As it was sent, for sentences. */
  path: string;
  /** Counts what the change costs. */
  work: ScimWork;
}

const ops = ['add', 'replace', 'remove'] as const;

/** By its name in lower case. */
export const member = (of: object, name: string): unknown =>
  Object.entries(of).find(([key]) => key.toLowerCase() === name)?.[1];

const operationIn = (given: unknown, index: number): PatchOperation => {
  const place = `Operations[${index}]`;
  if (!isJsonObject(given)) throw badSyntax(`${place} must be an object`);
  const said = member(given, 'op');
  const op = ops.find((known) => typeof said === 'string' && known === said.toLowerCase());
  if (!op) throw badSyntax(`${place}.op must be add, replace or remove`);
  const path = member(given, 'path') ?? undefined;
  if (path !== undefined && typeof path !== 'string') throw badSyntax(`${place}.path must be a string`);
  const value = member(given, 'value') as Json | undefined;
  if (op === 'remove' && !path) throw noTarget(`${place} removes, and so needs a path`);
  if (op !== 'remove' && value === undefined) throw badValue(`${place}.value is required`);
  if (!path && !isJsonObject(value)) throw badValue(`${place}.value must be an object when there is no path`);
  return { op, ...(path && { path }), ...(value !== undefined && { value }) };
};

export const hasSchema = (body: object, wanted: string): boolean => {
  const schemas = member(body, 'schemas');
  if (!Array.isArray(schemas)) return false;
  return schemas.some(
    (schema) => typeof schema === 'string' && schema.toLowerCase() === wanted.toLowerCase(),
  );
};

export const operationsIn = (body: object): PatchOperation[] => {
  if (!hasSchema(body, scimSchemas.patch)) throw badSyntax(`schemas must hold ${scimSchemas.patch}`);
  const operations = member(body, 'operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw badSyntax('Operations must hold one operation at least');
  if (operations.length > limits.changes) throw tooMany();
  const read = operations.map(operationIn);
  if (read.reduce((sum, operation) => sum + changesIn(operation), 0) > limits.changes) throw tooMany();
  return read;
};

/** Without a path, each member of the value is a change of its own. */
const changesIn = ({ path, value }: PatchOperation): number =>
  path === undefined && isJsonObject(value) ? Math.max(1, Object.keys(value).length) : 1;

const tooMany = () =>
  tooManyChanges(
    `a PATCH must not have more than ${limits.changes} operations and members of values without a path`,
  );
