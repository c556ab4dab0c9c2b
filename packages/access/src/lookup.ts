/** Reads keys and workspaces from the serving copy: while one question to Redis is under way, the others gather for the next. */
import type { Redis } from 'ioredis';
import type { KeyRecord } from './key.ts';
import { keysHash, versionOf, workspacesHash } from './serving-copy.ts';
import type { WorkspaceSettings } from './settings.ts';

/** `unknown` is an answer; that Redis can't say is an error. */
export type FoundKey = { key: KeyRecord; settings: WorkspaceSettings } | 'unknown';

interface WaitingLookup {
  resolve(found: FoundKey): void;
  reject(reason: Error): void;
}

/** So many different keys in one question; a flood of invented ones costs Redis one small command at a time. */
const mostAtOnce = 500;
const mostWaiting = 10_000;

export const readHash = async <Item>(
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

/** After a flush of Redis nothing is known of any key or token; that is not the same as "there is no such key". */
export const assertPublished = async (redis: Redis, hash: string, what: string): Promise<void> => {
  if ((await redis.exists(versionOf(hash))) === 0)
    throw new Error(`the serving copy of the ${what} is missing`);
};

const read = async (redis: Redis, ids: readonly string[]): Promise<(id: string) => FoundKey> => {
  const keys = await readHash<KeyRecord>(redis, keysHash, ids);
  if (keys.size < ids.length) await assertPublished(redis, keysHash, 'keys');
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

/** Gives each id of a batch its answer. */
const settle = (batch: Map<string, WaitingLookup[]>, find: (id: string) => FoundKey): void => {
  for (const [id, those] of batch) {
    try {
      const found = find(id);
      for (const one of those) one.resolve(found);
    } catch (error) {
      for (const one of those) one.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }
};

export const createLookup = (redis: Redis) => {
  let waiting = new Map<string, WaitingLookup[]>();
  let busy = false;

  const takeBatch = (): Map<string, WaitingLookup[]> => {
    const entries = [...waiting];
    waiting = new Map(entries.slice(mostAtOnce));
    return new Map(entries.slice(0, mostAtOnce));
  };

  const ask = async (): Promise<void> => {
    busy = true;
    while (waiting.size > 0) {
      const batch = takeBatch();
      const find = await read(redis, [...batch.keys()]).catch((error) => () => {
        throw error;
      });
      settle(batch, find);
    }
    busy = false;
  };

  return (id: string): Promise<FoundKey> =>
    new Promise((resolve, reject) => {
      const those = waiting.get(id);
      if (!those && waiting.size >= mostWaiting)
        return reject(new Error('too many keys are being looked up'));
      if (those) those.push({ resolve, reject });
      else waiting.set(id, [{ resolve, reject }]);
      if (!busy) void ask();
    });
};
