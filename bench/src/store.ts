import { setTimeout as sleep } from 'node:timers/promises';
import { openStore, type Store } from '@roster/store';
import type { Setting } from './bench.ts';

/** The store of the system, as the services have it. */
export const openStoreOf = async ({ system, atEnd }: Setting): Promise<Store> => {
  const store = await openStore({ url: system.mongoUrl, appName: 'bench' });
  atEnd(store.close);
  return store;
};

/** Other settings of the workspace, once the services have them: theirs are at most five seconds old. */
export const changeSettings = async (
  { system }: Setting,
  { workspaces }: Store,
  more: object,
): Promise<void> => {
  const settings = await workspaces.get<{ id: string }>(system.workspace);
  await workspaces.put({ ...settings, ...more, id: system.workspace });
  await sleep(5_500);
};
