/**
 * Holds what is stored to the schemas. A document fits when mongoose finds nothing wrong with it and would write it as it stands there:
 * a value that it casts, or a member that it leaves out, is not what the schema describes.
 */
import { inspect, isDeepStrictEqual } from 'node:util';
import { isDescribed, kindIn, modelsOn } from '@roster/store';
import type mongoose from 'mongoose';
import { fits } from './fits.ts';

type Members = Record<string, unknown>;

const isPlain = (value: unknown): value is Members =>
  Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]';

const hasMembers = (value: unknown): value is Members => isPlain(value) && !('_bsontype' in value);

/** mongoose leaves these names out of every copy, in the values of callers too. */
const uncopied: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const namesIn = (...values: readonly Members[]): string[] =>
  [...new Set(values.flatMap(Object.keys))].filter((name) => !uncopied.has(name));

/** Each place where both differ, and how. */
const differences = (stored: unknown, fitting: unknown, path: readonly string[] = []): [string, string][] => {
  const at = path.join('.');
  if (hasMembers(stored) && hasMembers(fitting) && Array.isArray(stored) === Array.isArray(fitting)) {
    return namesIn(stored, fitting).flatMap((name) =>
      differences(stored[name], fitting[name], [...path, name]),
    );
  }
  if (isDeepStrictEqual(stored, fitting)) return [];
  if (fitting === undefined) return [[at, 'the schema has no such member']];
  if (stored === undefined) return [[at, 'is missing']];
  return [[at, `is ${inspect(stored)}, where the schema wants ${inspect(fitting)}`]];
};

const problemsOf = async (Model: mongoose.Model<Members>, stored: Members): Promise<Map<string, string>> => {
  const document = new Model(stored);
  const wrong = await document.validate().then(
    () => ({}),
    (error: mongoose.Error.ValidationError) => error.errors,
  );
  const invalid = Object.entries(wrong).map(([path, { message }]) => [path, message] as const);
  return new Map([...differences(stored, document.toObject({ flattenMaps: true })), ...invalid]);
};

/** The type of what is stored counts: a number of 64 bits is another one than a double. */
const exactly = { useBigInt64: true } as const;

const misfitsOf = async (connection: mongoose.Connection, name: string): Promise<string[]> => {
  const described = kindIn(name) ?? name;
  if (!isDescribed(described)) return [`${name}: no schema describes this collection`];
  const documents = connection.collection(name).find({}, exactly);
  // Models take their time: an empty collection gets none.
  const model = (await documents.hasNext()) && modelsOn(connection, [described])[described];
  if (!model) return [];
  const found: string[] = [];
  for await (const stored of documents) {
    if (fits(stored, model.schema)) continue;
    for (const [path, problem] of await problemsOf(model, stored)) {
      found.push(`${name} ${inspect(stored._id)} ${path}: ${problem}`);
    }
  }
  return found;
};

/** Every document of a database that its schema does not describe: its collection, `_id` and path. */
export const misfitsIn = async (connection: mongoose.Connection): Promise<string[]> => {
  const collections = await connection.listCollections();
  const found: string[] = [];
  for (const { name } of collections) found.push(...(await misfitsOf(connection, name)));
  return found;
};
