// What MongoDB moves between its cache and its files, and what its process writes to the disk.
import { readFileSync } from 'node:fs';
import mongoose from 'mongoose';

const { MongoClient } = mongoose.mongo;

export interface ServerBytes {
  /** Into the cache. */
  read: number;
  /** From the cache. The journal is not in it. */
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

/** Bytes that a process has had written to the disk: journal, log of operations and all (proc(5), write_bytes). Files in memory do not count. */
export const bytesToDisk = (pid: number): number =>
  Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
