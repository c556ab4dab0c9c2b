/** The schemas of the rows, as they are documented, in one document for ajv: a shared shape is compiled once for all operations. */

import {
  createPublisher,
  type OperationOf,
  operations,
  type PlainSchema,
  type Publisher,
  publishedKeyword,
} from '@roster/contract';
import type { TObject } from '@sinclair/typebox';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type CodedMember, codedMembers } from './coded-members.ts';
import { countLengthsLazily } from './lengths.ts';

const DOCUMENT = 'schemas.json';

export interface Validators {
  params?: ValidateFunction;
  query?: ValidateFunction;
  body?: ValidateFunction;
  /** The members of the body that have codes of their own. */
  coded: CodedMember[];
  /** In the order of the operation's `entries`. */
  entries: ValidateFunction[];
}

type ValidatorsOf = (operation: OperationOf<string>) => Validators;

export function createValidators(): ValidatorsOf {
  const publisher = createPublisher();
  const schemas = Object.fromEntries(
    operations.map((operation) => [operation.id, schemasOf(operation, publisher)]),
  );
  const lookUp = createLookUp({ schemas, components: { schemas: publisher.components() } });
  return ({ id, request, entries = [] }) => ({
    ...(request.params && { params: lookUp(['schemas', id, 'params']) }),
    ...(request.query && { query: lookUp(['schemas', id, 'query']) }),
    ...(request.body && { body: lookUp(['schemas', id, 'body']) }),
    coded: codedMembers(request.body, (name) => lookUp(['schemas', id, 'body', 'properties', name])),
    entries: entries.map(({ array }) =>
      lookUp(placeOf(schemas[id]?.entries[array], ['schemas', id, 'entries', array])),
    ),
  });
}

interface RowSchemas {
  params?: PlainSchema;
  query?: PlainSchema;
  body?: PlainSchema;
  entries: Record<string, PlainSchema>;
}

function schemasOf({ request, entries = [] }: OperationOf<string>, publisher: Publisher): RowSchemas {
  const { params, query, body } = request;
  const apart = new Set(entries.map(({ array }) => array as string));
  return {
    ...(params && { params: publisher.publishInPlace(params) }),
    ...(query && { query: publisher.publishInPlace(query) }),
    ...(body && { body: publisher.publishInPlace(withoutItems(body, apart)) }),
    entries: Object.fromEntries(entries.map(({ array, schema }) => [array, publisher.publish(schema)])),
  };
}

/** The envelope must not fall with one of its entries: they are judged by themselves. */
function withoutItems(body: TObject, apart: ReadonlySet<string>): TObject {
  const members = Object.entries(body.properties).map(([name, member]) => {
    const { items, ...list } = member;
    return [name, apart.has(name) ? list : member];
  });
  return { ...body, properties: Object.fromEntries(members) };
}

/** A shared shape is looked up where it stands. */
function placeOf(schema: PlainSchema | undefined, place: string[]): string[] {
  return typeof schema?.$ref === 'string' ? schema.$ref.split('/').slice(1) : place;
}

/** Validators by the place of their schema in the document. */
export function createLookUp(document: object): (path: string[]) => ValidateFunction {
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
  ajv.addSchema(document, DOCUMENT);
  return (path) => {
    const pointer = path
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const found = ajv.getSchema(`${DOCUMENT}#/${pointer}`);
    if (!found) throw new Error(`no schema at ${pointer}`);
    return found as ValidateFunction;
  };
}
