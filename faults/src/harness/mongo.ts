import mongoose from 'mongoose';

const { MongoClient } = mongoose.mongo;

export type Db = mongoose.mongo.Db;

/** The driver below mongoose, without models: the tests read what is really stored. */
export const openMongo = async (url: string) => {
  const client = await MongoClient.connect(url, { serverSelectionTimeoutMS: 60_000 });
  return { db: client.db(), close: () => client.close() };
};
