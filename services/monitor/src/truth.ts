/** The truth about keys and workspaces, from a MongoDB that may be away, now or when this process starts. */
import type { Everything, KeyRecord, WorkspaceSettings } from '@roster/access';
import { openStore, type Store } from '@roster/store';

export interface Truth {
  read(): Promise<Everything>;
  close(): Promise<void>;
}

export const openTruth = (url: string): Truth => {
  let store: Promise<Store> | undefined;
  const opened = (): Promise<Store> => {
    store ??= openStore({ url, appName: 'roster-monitor', maxPoolSize: 2, patienceMs: 0 }).catch((error) => {
      store = undefined;
      throw error;
    });
    return store;
  };
  return {
    async read() {
      const { keys, workspaces } = await opened();
      return { keys: await keys.list<KeyRecord>(), workspaces: await workspaces.list<WorkspaceSettings>() };
    },
    async close() {
      await (await store?.catch(() => undefined))?.close();
    },
  };
};
