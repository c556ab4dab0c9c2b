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

const storedNames = async (db: Db, name: CollectionName): Promise<string[]> => {
  const isThere = await db.listCollections({ name }, { nameOnly: true }).hasNext();
  const stored = isThere ? await db.collection(name).indexes() : [];
  return stored.flatMap((index) => (index.name === '_id_' ? [] : (index.name ?? [])));
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
  for (const collection of indexed) {
    const [wanted, stored] = [declaredOn(collection), await storedNames(db, collection)];
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
