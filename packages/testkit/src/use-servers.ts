import type { Store } from '@roster/store';
import { Redis } from 'ioredis';
import { redisUrl, testRedis } from './servers.ts';
import { testStore } from './store.ts';

export interface TestServers {
  redisUrl: string;
  mongoUrl: string;
  redis: Redis;
  store: Store;
}

/** Opens or stores something, and may give the function that closes it. */
type Use = (servers: TestServers) => Promise<unknown>;

/** Redis, MongoDB and a store for the tests of a file, open while they run. As with `useStore`, they are filled in before the first test. */
export const useServers = (use: Use = async () => {}): TestServers => {
  const servers = { store: {} } as TestServers;
  let close = async (): Promise<void> => {};
  beforeAll(async () => {
    const [server, test] = await Promise.all([testRedis(), testStore()]);
    const redis = new Redis(server.url, { maxRetriesPerRequest: null });
    Object.assign(servers.store, test.store);
    Object.assign(servers, { redisUrl: server.url, mongoUrl: test.url, redis });
    const closeFirst = await use(servers);
    close = async () => {
      if (typeof closeFirst === 'function') await closeFirst();
      redis.disconnect();
      await test.close();
      await server.close();
    };
  });
  afterAll(() => close());
  return servers;
};

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
