/** The OpenAPI document as a whole is given to ajv; each validator is looked up at the place where its schema is documented. */
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { judgedOpenapi, type OpenApiDocument } from '../document/openapi.ts';
import { publishedKeyword } from '../document/published-rules.ts';
import type { OperationOf } from '../operation.ts';
import { countLengthsLazily } from './lengths.ts';

const DOCUMENT = 'openapi.json';

export interface Validators {
  params?: ValidateFunction;
  query?: ValidateFunction;
  body?: ValidateFunction;
  /** In the order of the operation's `entries`. */
  entries: ValidateFunction[];
}

export type ValidatorsOf = (operation: OperationOf<string>) => Validators;

export function createValidators(operations: readonly OperationOf<string>[]): ValidatorsOf {
  const document = judgedOpenapi(operations);
  for (const operation of operations) setEntriesApart(document, operation);
  const lookUp = createLookUp(document);
  return ({ path, method, request, entries = [] }) => {
    const place = ['paths', path, method.toLowerCase()];
    const body = [...place, 'requestBody', 'content', 'application/json', 'schema'];
    return {
      ...(request.body ? { body: lookUp(body) } : {}),
      ...(request.params ? { params: lookUp([...place, 'x-params']) } : {}),
      ...(request.query ? { query: lookUp([...place, 'x-query']) } : {}),
      entries: entries.map(({ array }) => lookUp(placeOfEntry(document, [...place, 'x-entries', array]))),
    };
  };
}

type Node = Record<string, unknown>;

/** The envelope must not fall with one of its entries: their schemas move from `items` to a place of their own. */
function setEntriesApart(
  document: OpenApiDocument,
  { path, method, entries = [], request }: OperationOf<string>,
): void {
  const place = document.paths[path]?.[method.toLowerCase()] as Node | undefined;
  if (!place) throw new Error(`no place for ${method} ${path} in the document`);
  place['x-params'] = parametersSchema(place, 'path');
  place['x-query'] = parametersSchema(place, 'query');
  if (entries.length === 0 || !request.body) return;
  const envelope = at(place, ['requestBody', 'content', 'application/json', 'schema', 'properties']);
  place['x-entries'] = Object.fromEntries(
    entries.map(({ array }) => {
      const { items, ...list } = at(envelope, [array]);
      envelope[array] = list;
      return [array, items];
    }),
  );
}

/** A shared shape is looked up where it stands, so that it is compiled once for all operations. */
function placeOfEntry(document: OpenApiDocument, place: string[]): string[] {
  const { $ref } = at(document as unknown as Node, place);
  return typeof $ref === 'string' ? $ref.split('/').slice(1) : place;
}

function parametersSchema(place: Node, where: string): Node {
  const all = (place.parameters ?? []) as { name: string; in?: string; required: boolean; schema: unknown }[];
  const found = all.filter((parameter) => parameter.in === where);
  return {
    type: 'object',
    properties: Object.fromEntries(found.map(({ name, schema }) => [name, schema])),
    required: found.filter(({ required }) => required).map(({ name }) => name),
  };
}

function at(node: Node, path: string[]): Node {
  return path.reduce((inner, name) => inner[name] as Node, node);
}

export function createLookUp(document: OpenApiDocument): (path: string[]) => ValidateFunction {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    ownProperties: true,
    allErrors: false,
    verbose: true,
    addUsedSchema: false,
    validateFormats: false,
  });
  countLengthsLazily(ajv);
  // The members of the document itself are no keywords that judge anything, nor are our annotations.
  ajv.addVocabulary([...Object.keys(document), 'x-errors', publishedKeyword]);
  ajv.addSchema(document as unknown as AnySchemaObject, DOCUMENT);
  return (path) => {
    const pointer = path
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const found = ajv.getSchema(`${DOCUMENT}#/${pointer}`);
    if (!found) throw new Error(`no schema at ${pointer}`);
    return found as ValidateFunction;
  };
}
