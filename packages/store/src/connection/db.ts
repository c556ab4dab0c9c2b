/** The driver's own types, named once, how collections are made, and how documents are unpacked. */
import mongoose from 'mongoose';

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

const { deserialize, Decimal128 } = mongoose.mongo.BSON;

/** Integers of 64 bits are stored only where a double does not hold them. */
export const exactly = { useBigInt64: true } as const;

/** Roster wrote all stored text as UTF-8. Checking every character again takes longer than reading it. */
const trusting = { ...exactly, validation: { utf8: false } } as const;

/** For reads that need the size of a document before they unpack it. */
export const documentIn = <Document>(bytes: Buffer): Document => deserialize(bytes, trusting) as Document;

/** Decimal numbers as MongoDB stores and adds them: 34 digits, no binary fractions. */
export type Decimal = mongoose.mongo.BSON.Decimal128;

/** From a text such as `12.10`; beyond 34 digits it is rounded. */
export const decimal = (text: string): Decimal => Decimal128.fromStringWithRounding(text);
