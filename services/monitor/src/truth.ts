/** The truth about keys and workspaces, from a MongoDB that may be away, now or when this process starts. */
import type {
  CompanySettings,
  Everything,
  KeyRecord,
  ScimTokenRecord,
  WorkspaceSettings,
} from '@roster/access';
import { openStore, type Store } from '@roster/store';

export const openTruth = (url: string) => {
  let store: Promise<Store> | undefined;
  const opened = (): Promise<Store> => {
    store ??= openStore({ url, appName: 'roster-monitor', maxPoolSize: 2, patienceMs: 0 }).catch((error) => {
      store = undefined;
      throw error;
    });
    return store;
  };
  return {
    /** Opened when it is first asked for; throws while MongoDB is away. */
    store: opened,
    async read(): Promise<Everything> {
      const { keys, workspaces, scimTokens, companies } = await opened();
      return {
        keys: await keys.list<KeyRecord>(),
        workspaces: await workspaces.list<WorkspaceSettings>(),
        scimTokens: await scimTokens.list<ScimTokenRecord>(),
        companies: await companies.list<CompanySettings>(),
      };
    },
    async close(): Promise<void> {
      await (await store?.catch(() => undefined))?.close();
    },
  };
};
