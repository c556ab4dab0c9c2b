import type { Redis } from 'ioredis';
import { type Evidence, points, readEvidence } from './evidence.ts';

/** Longer than any process manager waits before it starts a worker again. */
const keptSeconds = 7 * 24 * 3600;

/** Evidence that outlives a process: written before suspects are at work, removed when they are finished. After a crash it is still there. */
export const createSuspects = (redis: Redis, key: string) => {
  const add = async (ids: readonly string[], more: number): Promise<void> => {
    const write = redis.multi();
    for (const id of ids) write.hincrby(key, id, more);
    await write.exec();
  };
  return {
    async read(ids: readonly string[]): Promise<Evidence[]> {
      return (await redis.hmget(key, ...ids)).map(readEvidence);
    },
    /** Removes the evidence against the suspects before in the same round trip. */
    async enter(ids: readonly string[], before: readonly string[]): Promise<void> {
      const write = redis.multi();
      if (before.length > 0) write.hdel(key, ...before);
      for (const id of ids) write.hincrby(key, id, points.waiting);
      write.expire(key, keptSeconds);
      await write.exec();
    },
    /** The process computes with them from now on. */
    accuse: (ids: readonly string[]): Promise<void> => add(ids, points.computing - points.waiting),
    /** The suspects are still at work, but the process is no longer computing with them: what ends it now may have another cause. */
    relieve: (ids: readonly string[]): Promise<void> => add(ids, points.waiting - points.computing),
    async leave(ids: readonly string[]): Promise<void> {
      if (ids.length > 0) await redis.hdel(key, ...ids);
    },
  };
};
