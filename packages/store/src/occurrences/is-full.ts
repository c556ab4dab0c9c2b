/** When the next generation begins: as long as the newest one fits its share of the cache, an insert reads no page from the disk. */
import type { Db } from '../connection/db.ts';

export interface GenerationLimits {
  /** Bytes of its rows; without it, a share of the cache of the server. */
  bytes?: number | undefined;
  rows?: number | undefined;
}

/**
 * Inserts change every page of it. WiredTiger writes changed pages early when they are more than a twentieth of the cache: of a larger generation each page is
 * written and read again for every few rows.
 */
const shareOfCache = 1 / 32;

/** For a server that does not tell: a share of a cache of one gigabyte. */
const usualBytes = 2 ** 25;

const usualRows = 20_000_000;

const cacheBytes = 'maximum bytes configured';

/** On each shard. */
interface ShardStats {
  storageStats: { size: number; count: number };
}

const bytesByServer = new WeakMap<Db, number>();

const bytesOf = async (db: Db): Promise<number> => {
  const known = bytesByServer.get(db);
  if (known !== undefined) return known;
  const status = await db
    .admin()
    .command({ serverStatus: 1 })
    // A hosted MongoDB may refuse the question: then the usual figure is used.
    .catch(() => undefined);
  const cache: unknown = status?.wiredTiger?.cache?.[cacheBytes];
  const bytes = typeof cache === 'number' ? cache * shareOfCache : usualBytes;
  bytesByServer.set(db, bytes);
  return bytes;
};

export const isFull = async (db: Db, collection: string, limits: GenerationLimits): Promise<boolean> => {
  const shards = await db
    .collection(collection)
    .aggregate<ShardStats>([{ $collStats: { storageStats: {} } }])
    .toArray();
  const size = shards.reduce((sum, { storageStats }) => sum + storageStats.size, 0);
  const count = shards.reduce((sum, { storageStats }) => sum + storageStats.count, 0);
  return size >= (limits.bytes ?? (await bytesOf(db))) || count >= (limits.rows ?? usualRows);
};
