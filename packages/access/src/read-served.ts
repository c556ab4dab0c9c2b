/** Reads several keys and their workspaces from the serving copy. */
import type { Redis } from 'ioredis';
import type { KeyRecord } from './key.ts';
import { keysHash, versionOf, workspacesHash } from './serving-copy.ts';
import type { WorkspaceSettings } from './settings.ts';

/** `unknown` is an answer; that Redis can't say is an error. */
export type Found = { key: KeyRecord; settings: WorkspaceSettings } | 'unknown';

const readHash = async <Item>(
  redis: Redis,
  hash: string,
  ids: readonly string[],
): Promise<Map<string, Item>> => {
  const items = new Map<string, Item>();
  if (ids.length === 0) return items;
  const texts = await redis.hmget(hash, ...ids);
  for (const [index, id] of ids.entries()) {
    const text = texts[index];
    if (text) items.set(id, JSON.parse(text));
  }
  return items;
};

/** After a flush of Redis nothing is known of any key; that is not the same as "there is no such key". */
const assertPublished = async (redis: Redis): Promise<void> => {
  if ((await redis.exists(versionOf(keysHash))) === 0)
    throw new Error('the serving copy of the keys is not there yet');
};

export const read = async (redis: Redis, ids: readonly string[]): Promise<(id: string) => Found> => {
  const keys = await readHash<KeyRecord>(redis, keysHash, ids);
  if (keys.size < ids.length) await assertPublished(redis);
  const names = [...new Set([...keys.values()].map((key) => key.ws))];
  const workspaces = await readHash<WorkspaceSettings>(redis, workspacesHash, names);
  return (id) => {
    const key = keys.get(id);
    if (!key) return 'unknown';
    const settings = workspaces.get(key.ws);
    if (!settings)
      throw new Error(`the serving copy has a key for the workspace ${key.ws}, but not the workspace`);
    return { key, settings };
  };
};
