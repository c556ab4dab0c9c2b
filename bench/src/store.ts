import { openStore, type Store } from '@roster/store';
import type { Setting } from './bench.ts';

/** The store of the system, as the services have it. */
export const openStoreOf = async ({ system, atEnd }: Setting): Promise<Store> => {
  const store = await openStore({ url: system.mongoUrl, appName: 'bench' });
  atEnd(store.close);
  return store;
};
