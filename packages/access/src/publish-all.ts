/** Replaces the whole serving copy by the truth. */
import type { Redis } from 'ioredis';
import type { CompanySettings } from './company-schema.ts';
import type { KeyRecord } from './key.ts';
import { served } from './publish-one.ts';
import type { ScimTokenRecord } from './scim-token.ts';
import { canonical, channel, hashOf, type Kind, versionOf } from './serving-copy.ts';
import type { WorkspaceSettings } from './settings.ts';

/** The whole hash: writes only the differences and returns their number, or -1 when the version is not the expected one. */
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

export interface Everything {
  keys: readonly KeyRecord[];
  workspaces: readonly WorkspaceSettings[];
  scimTokens?: readonly ScimTokenRecord[];
  companies?: readonly CompanySettings[];
}

/** The number of entries that differed from MongoDB. `keys` counts keys and tokens, `workspaces` counts workspaces and companies. */
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

/** Records come before the records that refer to them. */
const partsOf = ({ keys, workspaces, scimTokens = [], companies = [] }: Everything) =>
  [
    { kind: 'workspace', counts: 'workspaces', items: workspaces },
    { kind: 'key', counts: 'keys', items: keys.filter((key) => !key.revoked) },
    { kind: 'company', counts: 'workspaces', items: companies.map(served) },
    { kind: 'scim_token', counts: 'keys', items: scimTokens.filter((token) => !token.revoked) },
  ] as const;

const versionsIn = async (redis: Redis): Promise<Record<Kind, string>> => {
  const seen: Record<Kind, string> = { key: '0', workspace: '0', scim_token: '0', company: '0' };
  for (const kind of Object.keys(seen) as Kind[])
    seen[kind] = (await redis.get(versionOf(hashOf[kind]))) ?? '0';
  return seen;
};

/** Makes the copy equal to the given records and removes all others. For records that may be out of date, use `refreshCopy`. */
export const publishAll = async (redis: Redis, everything: Everything): Promise<Changes> => {
  const done: Changes = { keys: 0, workspaces: 0 };
  for (const { kind, counts, items } of partsOf(everything))
    done[counts] += await replace(redis, kind, '', items);
  return done;
};

/** Reads the truth and makes the copy equal to it, again from the start when a change came between. */
export const refreshCopy = async (
  redis: Redis,
  readTruth: () => Promise<Everything>,
  tries = 5,
): Promise<Changes> => {
  const done: Changes = { keys: 0, workspaces: 0 };
  for (let attempt = 0; attempt < tries; attempt++) {
    const seen = await versionsIn(redis);
    let isWhole = true;
    for (const { kind, counts, items } of partsOf(await readTruth())) {
      const changed = await replace(redis, kind, seen[kind], items);
      done[counts] += Math.max(0, changed);
      isWhole &&= changed >= 0;
    }
    if (isWhole) return done;
  }
  throw new Error('keys or workspaces kept changing while the serving copy was refreshed; try again');
};
