import type { Store } from '@roster/store';
import { Redis } from 'ioredis';
import { assertRightsSuffice, refusedRights, withLeastRights } from './least-rights.ts';
import { testRedis } from './servers.ts';
import { testStore } from './store.ts';

export interface TestServers {
  /** With the least rights (docs/redis.md); `redis` has all. */
  redisUrl: string;
  mongoUrl: string;
  redis: Redis;
  store: Store;
}

/** Opens what uses the servers, and gives the function that closes it. */
type Use = (servers: TestServers) => Promise<() => Promise<unknown>>;

/** Redis, MongoDB and a store for the tests of a file, open while they run. As with `useStore`, they are filled in before the first test. */
export const useServers = (use: Use = async () => async () => {}): TestServers => {
  const servers = { store: {} } as TestServers;
  let close = async (): Promise<void> => {};
  beforeAll(async () => {
    const [server, test] = await Promise.all([testRedis(), testStore()]);
    const redis = new Redis(server.url, { maxRetriesPerRequest: null });
    Object.assign(servers.store, test.store);
    Object.assign(servers, { redisUrl: await withLeastRights(redis, server.url), mongoUrl: test.url, redis });
    const closeFirst = await use(servers);
    close = async () => {
      await closeFirst();
      const refused = await refusedRights(redis);
      redis.disconnect();
      await test.close();
      await server.close();
      assertRightsSuffice(refused);
    };
  });
  afterAll(() => close());
  return servers;
};
