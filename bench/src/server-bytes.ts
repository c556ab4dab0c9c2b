// What MongoDB moves between its cache and its files, and what its process writes to the disk, beside what the work costs.
import { readFileSync } from 'node:fs';
import mongoose from 'mongoose';
import { type Cost, costOf } from './cost.ts';
import type { System } from './system.ts';

const { MongoClient } = mongoose.mongo;

interface ServerBytes {
  /** Into the cache. */
  read: number;
  /** From the cache. The journal is not in it. */
  written: number;
  /** Written to the disk by its process: journal, log of operations and all (proc(5), write_bytes). Files in memory do not count. */
  toDisk: number;
  onDisk: number;
}

const toDisk = (pid: number): number =>
  Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);

const serverBytes = async ({ mongoUrl, pid }: System): Promise<ServerBytes> => {
  const client = await MongoClient.connect(mongoUrl);
  try {
    const db = client.db();
    const { wiredTiger } = await db.admin().command({ serverStatus: 1 });
    const { storageSize, indexSize } = await db.stats();
    return {
      read: wiredTiger.cache['bytes read into cache'],
      written: wiredTiger.cache['bytes written from cache'],
      toDisk: toDisk(pid('mongod')),
      onDisk: storageSize + indexSize,
    };
  } finally {
    await client.close();
  }
};

export interface CostWithBytes extends Cost {
  /** For one. */
  bytes: ServerBytes;
  onDisk: number;
}

/** All that is used until the work is done and nothing waits. */
export const costWithBytes = async (
  system: System,
  units: number,
  work: () => Promise<unknown>,
): Promise<CostWithBytes> => {
  const before = await serverBytes(system);
  const cost = await costOf(system.pathPids(), async () => {
    await work();
    await system.quiet();
    return units;
  });
  const after = await serverBytes(system);
  const an = (name: keyof ServerBytes): number => (after[name] - before[name]) / units;
  const bytes = { read: an('read'), written: an('written'), toDisk: an('toDisk'), onDisk: an('onDisk') };
  return { ...cost, bytes, onDisk: after.onDisk };
};
