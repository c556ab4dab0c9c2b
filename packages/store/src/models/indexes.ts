/** Every index with the query that needs it: makes them, and compares them with those in MongoDB. */
import type mongoose from 'mongoose';
import { type Db, ensureCollection } from '../connection/db.ts';
import { createGenerations } from '../occurrences/generations.ts';
import { kinds } from '../occurrences/steps.ts';
import type { DeclaredIndex } from './collection.ts';
import { type CollectionName, collectionNames, collections, type Models } from './models.ts';

export interface Index extends DeclaredIndex {
  collection: CollectionName;
  name: string;
}

export interface IndexReport {
  missing: Index[];
  /** It exists with another definition. */
  different: Index[];
  /** Not declared here, or no longer. */
  extra: { collection: CollectionName; name: string }[];
}

const declaredOn = (name: CollectionName): Index[] =>
  Object.entries(collections[name].indexes).map(([index, declared]) => ({
    collection: name,
    name: index,
    ...declared,
  }));

/** Every index of every collection. */
export const indexes: readonly Index[] = collectionNames.flatMap(declaredOn);

/** Generations have no index but their key, and are made when they are needed. */
const indexed = collectionNames.filter((name) => !kinds.some((kind) => kind === name));

const ensureIndexed = async (db: Db, name: CollectionName): Promise<void> => {
  await ensureCollection(db, name);
  // All indexes of a collection in one command; a model would send a command for each.
  const wanted = declaredOn(name).map(({ name: index, key, options }) => ({ name: index, key, ...options }));
  if (wanted.length > 0) await db.collection(name).createIndexes(wanted);
};

/** Creates missing collections, indexes and first generations, so that no transaction has to. Repeating it changes nothing. */
export const ensureIndexes = async (db: Db): Promise<void> => {
  await Promise.all(indexed.map((name) => ensureIndexed(db, name)));
  for (const of of kinds) await createGenerations({ db, of, limits: {} }).tend();
};

/** By collection, the names of its indexes; a collection that is missing stands not in it. */
const storedIn = async (db: Db): Promise<ReadonlyMap<string, readonly string[]>> => {
  const listed = await db.listCollections({}, { nameOnly: true }).toArray();
  const there = indexed.filter((collection) => listed.some(({ name }) => name === collection));
  const namesOf = async (collection: CollectionName) => {
    const stored = await db.collection(collection).indexes();
    return stored.flatMap(({ name = '' }) => (name === '_id_' ? [] : [name]));
  };
  return new Map(await Promise.all(there.map(async (one) => [one, await namesOf(one)] as const)));
};

/** The database lacks what this version needs. */
export class NotPrepared extends Error {
  readonly code = 'not_prepared';
  constructor(missing: readonly string[]) {
    const others = missing.length > 1 ? ` and ${missing.length - 1} more` : '';
    super(
      `the database is not prepared for this version (${missing[0]}${others} is missing). It waits for this command: roster migrate`,
    );
  }
}

/** By their names alone: an index that changes gets another name. */
export const assertPrepared = async (db: Db): Promise<void> => {
  const stored = await storedIn(db);
  const missing = indexed.flatMap((collection) => {
    const names = stored.get(collection);
    if (!names) return [collection];
    return declaredOn(collection).flatMap(({ name }) =>
      names.includes(name) ? [] : [`${collection}.${name}`],
    );
  });
  if (missing.length > 0) throw new NotPrepared(missing);
};

/** The names of those that the model would make anew, or make. */
const unlike = async (
  model: Pick<mongoose.Model<unknown>, 'diffIndexes'>,
): Promise<Set<string | undefined>> => {
  const { toCreate } = await model.diffIndexes({ indexOptionsToCreate: true });
  return new Set(toCreate.map(([, { name }]) => name));
};

export const compareIndexes = async (db: Db, models: Models): Promise<IndexReport> => {
  const report: IndexReport = { missing: [], different: [], extra: [] };
  const all = await storedIn(db);
  for (const collection of indexed) {
    const [wanted, stored] = [declaredOn(collection), all.get(collection) ?? []];
    const other = await unlike(models[collection]);
    for (const index of wanted) {
      if (!stored.includes(index.name)) report.missing.push(index);
      else if (other.has(index.name)) report.different.push(index);
    }
    const extra = stored.filter((name) => !wanted.some((index) => index.name === name));
    report.extra.push(...extra.map((name) => ({ collection, name })));
  }
  return report;
};

/** Removes indexes that this version does not declare. Resolves to their names. */
export const pruneIndexes = async (db: Db, extra: IndexReport['extra']): Promise<string[]> => {
  for (const { collection, name } of extra) await db.collection(collection).dropIndex(name);
  return extra.map(({ collection, name }) => `${collection}.${name}`);
};
