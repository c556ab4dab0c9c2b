/** Asks a MongoDB about itself. */
import os from 'node:os';
import type { Db } from 'mongodb';

/** Works with the admin database of one server, whatever its place in a replica set. */
export const withAdmin = async <T>(port: number, work: (admin: Db) => Promise<T>): Promise<T> => {
  // Loaded only where a mongod is started.
  const { MongoClient } = await import('mongodb');
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 2_000,
    socketTimeoutMS: 30_000,
    runtimeAdapters: { os },
  });
  try {
    const admin = client.db('admin');
    await admin.command({ ping: 1 });
    return await work(admin);
  } finally {
    await client.close();
  }
};
