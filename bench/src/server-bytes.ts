// What MongoDB moves between its cache and its files, whatever lies under them; the journal is not in it.
import mongoose from 'mongoose';

const { MongoClient } = mongoose.mongo;

export interface ServerBytes {
  read: number;
  written: number;
  onDisk: number;
}

export const serverBytes = async (mongoUrl: string): Promise<ServerBytes> => {
  const client = await MongoClient.connect(mongoUrl);
  try {
    const db = client.db();
    const { wiredTiger } = await db.admin().command({ serverStatus: 1 });
    const { storageSize, indexSize } = await db.stats();
    return {
      read: wiredTiger.cache['bytes read into cache'],
      written: wiredTiger.cache['bytes written from cache'],
      onDisk: storageSize + indexSize,
    };
  } finally {
    await client.close();
  }
};
