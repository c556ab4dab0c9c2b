/** The truth about keys and workspaces, from a MongoDB that may be away, now or when this process starts. */
import type {
  CompanySettings,
  Everything,
  KeyRecord,
  ScimTokenRecord,
  WorkspaceSettings,
} from '@roster/access';
import { openStore, type Store } from '@roster/store';

export interface Truth {
  /** Opened when it is first asked for; throws while MongoDB is away. */
  store(): Promise<Store>;
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
    store: opened,
    async read() {
      const { keys, workspaces, scimTokens, companies } = await opened();
      return {
        keys: await keys.list<KeyRecord>(),
        workspaces: await workspaces.list<WorkspaceSettings>(),
        scimTokens: await scimTokens.list<ScimTokenRecord>(),
        companies: await companies.list<CompanySettings>(),
      };
    },
    async close() {
      await (await store?.catch(() => undefined))?.close();
    },
  };
};
