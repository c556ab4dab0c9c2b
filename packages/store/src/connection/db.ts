/** The driver's own types, named once, and how collections are made. */
import type mongoose from 'mongoose';

export type Db = mongoose.mongo.Db;
export type Client = mongoose.mongo.MongoClient;
export type Session = mongoose.mongo.ClientSession;
export type Collection<Document extends { _id: string | Buffer }> = mongoose.mongo.Collection<Document>;

const namespaceExists = 48;

/** Makes a collection, unless it exists. */
export const ensureCollection = async (
  db: Db,
  name: string,
  options?: mongoose.mongo.CreateCollectionOptions,
): Promise<void> => {
  await db.createCollection(name, options).catch((error: { code?: unknown }) => {
    if (error.code !== namespaceExists) throw error;
  });
};
