/**
 * The copy of keys and workspaces from which the ingress serves. The truth is in MongoDB; this copy can be made anew at any time.
 *
 * Each of the two hashes has a version beside it (in the same slot of a cluster) that grows with every change. Who rewrites a whole
 * hash names the version it saw before it read the truth: if somebody (a revocation) wrote meanwhile, nothing is written and it
 * reads again. So an old reading never brings a revoked key back.
 */
import type { Redis } from 'ioredis';
import type { KeyRecord } from './key.ts';
import type { WorkspaceSettings } from './settings.ts';

export const channel = 'roster:access';
export const keysHash = 'roster:keys';
export const workspacesHash = 'roster:workspaces';
export const versionOf = (hash: string): string => `{${hash}}:version`;

/** One field. Change, version and message are one step, so that no change goes unheard. */
const putScript = `
local field, value, message = ARGV[1], ARGV[2], ARGV[3]
if value == '' then redis.call('HDEL', KEYS[1], field) else redis.call('HSET', KEYS[1], field, value) end
redis.call('INCR', KEYS[2])
redis.call('PUBLISH', '${channel}', message)
return 1`;

/** The whole hash: writes only what differs, says how much that was, or -1 when the version is not the expected one. */
const replaceScript = `
local expected, kind = ARGV[1], ARGV[2]
local version = redis.call('GET', KEYS[2]) or '0'
if expected ~= '' and expected ~= version then return -1 end
local wanted, changed = {}, {}
for i = 3, #ARGV, 2 do wanted[ARGV[i]] = ARGV[i + 1] end
local held = redis.call('HGETALL', KEYS[1])
for i = 1, #held, 2 do
  local field, value = held[i], held[i + 1]
  if wanted[field] == nil then
    redis.call('HDEL', KEYS[1], field)
    changed[#changed + 1] = field
  elseif wanted[field] == value then
    wanted[field] = nil
  end
end
for field, value in pairs(wanted) do
  redis.call('HSET', KEYS[1], field, value)
  changed[#changed + 1] = field
end
if #changed > 0 or version == '0' then redis.call('INCR', KEYS[2]) end
if #changed > 100 then redis.call('PUBLISH', '${channel}', 'all')
else for _, field in ipairs(changed) do redis.call('PUBLISH', '${channel}', kind .. ':' .. field) end end
return #changed`;

/** One text for one record, whatever the order in which MongoDB or a person named its members: what is equal is not written anew. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort())
      : part,
  );

type Kind = 'key' | 'workspace';
const hashOf: Record<Kind, string> = { key: keysHash, workspace: workspacesHash };

const put = async (redis: Redis, kind: Kind, id: string, value: string): Promise<void> => {
  const hash = hashOf[kind];
  await redis.eval(putScript, 2, hash, versionOf(hash), id, value, `${kind}:${id}`);
};

/** Makes one key usable, or ends it when it is revoked. */
export const publishKey = (redis: Redis, record: KeyRecord): Promise<void> =>
  put(redis, 'key', record.id, record.revoked ? '' : canonical(record));

export const publishWorkspace = (redis: Redis, settings: WorkspaceSettings): Promise<void> =>
  put(redis, 'workspace', settings.id, canonical(settings));

export interface Everything {
  keys: readonly KeyRecord[];
  workspaces: readonly WorkspaceSettings[];
}
/** How many entries of the copy were not what they should be. */
export interface Changes {
  keys: number;
  workspaces: number;
}

const fieldsOf = (items: readonly { id: string }[]): string[] =>
  items.flatMap((item) => [item.id, canonical(item)]);

const replace = async (
  redis: Redis,
  kind: Kind,
  expected: string,
  items: readonly { id: string }[],
): Promise<number> => {
  const hash = hashOf[kind];
  return Number(
    await redis.eval(replaceScript, 2, hash, versionOf(hash), expected, kind, ...fieldsOf(items)),
  );
};

const valid = ({ keys, workspaces }: Everything) => ({
  keys: keys.filter((key) => !key.revoked),
  workspaces,
});

/** Makes the copy equal to what is given; what is gone goes. For a reading that may have aged, use `refreshCopy`. */
export const publishAll = async (redis: Redis, everything: Everything): Promise<Changes> => {
  const { keys, workspaces } = valid(everything);
  return {
    workspaces: await replace(redis, 'workspace', '', workspaces),
    keys: await replace(redis, 'key', '', keys),
  };
};

/** Reads the truth and makes the copy equal to it, again from the start when a change came between. */
export const refreshCopy = async (
  redis: Redis,
  readTruth: () => Promise<Everything>,
  tries = 5,
): Promise<Changes> => {
  const done: Changes = { keys: 0, workspaces: 0 };
  for (let attempt = 0; attempt < tries; attempt++) {
    const seenKeys = (await redis.get(versionOf(keysHash))) ?? '0';
    const seenWorkspaces = (await redis.get(versionOf(workspacesHash))) ?? '0';
    const { keys, workspaces } = valid(await readTruth());
    const changedWorkspaces = await replace(redis, 'workspace', seenWorkspaces, workspaces);
    const changedKeys = await replace(redis, 'key', seenKeys, keys);
    done.workspaces += Math.max(0, changedWorkspaces);
    done.keys += Math.max(0, changedKeys);
    if (changedKeys >= 0 && changedWorkspaces >= 0) return done;
  }
  throw new Error('keys or workspaces kept changing while the serving copy was refreshed; try again');
};
