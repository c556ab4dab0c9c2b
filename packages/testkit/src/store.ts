import { openStore, type Store } from '@roster/store';
import { usedMongo } from './servers.ts';

export interface TestStore {
  url: string;
  store: Store;
  close(): Promise<void>;
}

/** Longer than any test: a slow machine does not reach it. */
const outOfReachMs = 600_000;

/** Time limits of a store for tests that are not about them. */
export const patient = {
  patienceMs: 60_000,
  transactions: { patienceMs: outOfReachMs, limitMs: outOfReachMs },
};

/** A store on an empty database, with everything that a service has: its indexes, and a secret. */
export const testStore = async (open: typeof openStore = openStore): Promise<TestStore> => {
  const server = await usedMongo();
  const store = await open({
    url: server.url,
    appName: 'test',
    secret: 'a secret of this test',
    ...patient,
    ensureIndexes: true,
  });
  return {
    url: server.url,
    store,
    async close() {
      await store.close();
      await server.close();
    },
  };
};

interface StoreUse {
  forEach?: boolean;
  open?: typeof openStore;
}

/** As `useStore`, with the URL of its database. */
export const useTestStore = ({ forEach = false, open }: StoreUse = {}): Pick<TestStore, 'url' | 'store'> => {
  const used = { url: '', store: {} as Store };
  let close = async (): Promise<void> => {};
  const begin = async (): Promise<void> => {
    const test = await testStore(open);
    [used.url, close] = [test.url, test.close];
    Object.assign(used.store, test.store);
  };
  const end = (): Promise<void> => close();
  if (forEach) {
    beforeEach(begin);
    afterEach(end);
  } else {
    beforeAll(begin);
    afterAll(end);
  }
  return used;
};

/**
 * A store for the tests of a file: open while they run, each file (or each test) with a database of its own. It is filled in before the
 * first of them; so what is made of it at once may keep it, but not take it apart (see `later`). `open`: for the tests of the
 * store itself.
 */
export const useStore = (use?: StoreUse): Store => useTestStore(use).store;

/** A function that is made at its first call, when the store is open. */
export const later = <Args extends unknown[], Done>(make: () => (...args: Args) => Done) => {
  let made: ((...args: Args) => Done) | undefined;
  return (...args: Args): Done => {
    made ??= make();
    return made(...args);
  };
};
