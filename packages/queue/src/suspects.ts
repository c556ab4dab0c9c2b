import type { Redis } from 'ioredis';

/** How often a request may take its worker down while it is the only one at work. */
const acquittals = 2;

/**
 * Bread crumbs for requests that kill their process: written before a request of a twice stalled job runs alone, removed after.
 * One that is found there too often is the culprit; its neighbours, which only went down with it, never are.
 */
export const createSuspects = (redis: Redis, key: string) => ({
  async isConvicted(id: string): Promise<boolean> {
    return Number(await redis.hget(key, id)) >= acquittals;
  },
  async enter(id: string): Promise<void> {
    await redis.hincrby(key, id, 1);
  },
  async leave(id: string): Promise<void> {
    await redis.hdel(key, id);
  },
});
