import type { Store } from '@roster/store';
import { Redis } from 'ioredis';
import { redisUrl } from './servers.ts';
import { useTestStore } from './store.ts';

export interface TestServers {
  redisUrl: string;
  mongoUrl: string;
  redis: Redis;
  store: Store;
}

/** Opens or stores something, and may give the function that closes it. */
type Use = (servers: TestServers) => Promise<unknown>;

/** Redis for the tests of a file, empty before the first of them. `closeFirst` closes what uses this connection. */
export const useRedis = (closeFirst: () => unknown = () => {}): { url: string; redis: Redis } => {
  const url = redisUrl();
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: null });
  beforeAll(() => redis.flushdb());
  afterAll(async () => {
    await closeFirst();
    await redis.flushdb();
    redis.disconnect();
  });
  return { url, redis };
};

/** Redis, MongoDB and a store for the tests of a file, open while they run. As with `useStore`, they are filled in before the first test. */
export const useServers = (use: Use = async () => {}): TestServers => {
  let closeFirst: unknown;
  const { url: redisUrl, redis } = useRedis(() => typeof closeFirst === 'function' && closeFirst());
  const used = useTestStore();
  const servers = { redisUrl, redis, store: used.store, mongoUrl: '' };
  beforeAll(async () => {
    servers.mongoUrl = used.url;
    closeFirst = await use(servers);
  });
  return servers;
};
