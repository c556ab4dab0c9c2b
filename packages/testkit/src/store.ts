import { openStore, type Store } from '@roster/store';
import { testMongo } from './servers.ts';

export interface TestStore {
  store: Store;
  close(): Promise<void>;
}

/** A store on a fresh database, with everything that a service has: its indexes, and a secret. */
export const testStore = async (): Promise<TestStore> => {
  const server = await testMongo();
  const store = await openStore({
    url: server.url,
    appName: 'test',
    secret: 'a secret of this test',
    patienceMs: 10_000,
    ensureIndexes: true,
  });
  return {
    store,
    async close() {
      await store.close();
      await server.close();
    },
  };
};
