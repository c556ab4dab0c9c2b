/** For tests: a MongoDB of their own, its client, and a store on it. */
import os from 'node:os';
import { testMongo } from '@roster/testkit';
import mongoose from 'mongoose';
import { openStore, type StoreOptions } from '../open-store.ts';

export const openTestParts = async (appName: string, options: Pick<StoreOptions, 'generations'> = {}) => {
  const server = await testMongo();
  // The driver would fetch `os` by a dynamic import, which jest's sandbox does not allow.
  const client = await mongoose.mongo.MongoClient.connect(server.url, { runtimeAdapters: { os } });
  const store = await openStore({
    url: server.url,
    appName,
    patienceMs: 10_000,
    ensureIndexes: true,
    ...options,
  });
  return { server, client, store };
};
