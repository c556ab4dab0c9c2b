/**
 * The copy of keys, workspaces, SCIM tokens and companies from which the ingress serves. The truth is in MongoDB; this copy can be made anew at any time.
 *
 * Each hash has a version beside it (in the same slot of a cluster) that grows with every change. A process that rewrites a whole
 * hash names the version that it saw before it read MongoDB. If another process wrote meanwhile (a revocation), nothing is written
 * and it reads again. So an old reading never brings a revoked key back.
 */
import type { Redis } from 'ioredis';
import type { CompanySettings } from './company.ts';
import type { KeyRecord } from './key.ts';
import type { ScimTokenRecord } from './scim-token.ts';
import type { WorkspaceSettings } from './settings.ts';

export const channel = 'roster:access';
export const keysHash = 'roster:keys';
export const workspacesHash = 'roster:workspaces';
export const scimTokensHash = 'roster:scim-tokens';
export const companiesHash = 'roster:companies';
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
if expected ~= version then return -1 end
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
  JSON.stringify(value, (_name, part: unknown) => {
    // A long whole number of a segment, which nobody reads from this copy.
    if (typeof part === 'bigint') return String(part);
    return part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort())
      : part;
  });

type RecordKind = 'key' | 'workspace' | 'scim_token' | 'company';
const hashOf: Record<RecordKind, string> = {
  key: keysHash,
  workspace: workspacesHash,
  scim_token: scimTokensHash,
  company: companiesHash,
};

/** The ingress needs no more of a company than this. */
const served = ({ id, limits }: CompanySettings) => ({ id, limits });

/** Makes one record usable, or ends it when it is revoked. */
const publishing =
  <Item extends { id: string; revoked?: string }>(
    kind: RecordKind,
    shown: (item: Item) => object = (item) => item,
  ) =>
  async (redis: Redis, item: Item): Promise<void> => {
    const [hash, value] = [hashOf[kind], item.revoked ? '' : canonical(shown(item))];
    await redis.eval(putScript, 2, hash, versionOf(hash), item.id, value, `${kind}:${item.id}`);
  };

export const publishKey = publishing<KeyRecord>('key');
export const publishWorkspace = publishing<WorkspaceSettings>('workspace');
export const publishScimToken = publishing<ScimTokenRecord>('scim_token');
export const publishCompany = publishing('company', served);

export interface Everything {
  keys: readonly KeyRecord[];
  workspaces: readonly WorkspaceSettings[];
  scimTokens?: readonly ScimTokenRecord[];
  companies?: readonly CompanySettings[];
}

interface Listed {
  list<Item extends { id: string }>(): Promise<Item[]>;
}

/** The truth as the store has it. */
export const everythingIn = async (
  store: Readonly<Record<keyof Everything, Listed>>,
): Promise<Everything> => ({
  keys: await store.keys.list(),
  workspaces: await store.workspaces.list(),
  scimTokens: await store.scimTokens.list(),
  companies: await store.companies.list(),
});

/** How many entries of the copy were not what they should be; `keys` are keys and tokens, `workspaces` workspaces and companies. */
export interface Changes {
  keys: number;
  workspaces: number;
}

const replace = async (
  redis: Redis,
  kind: RecordKind,
  expected: string,
  items: readonly { id: string }[],
): Promise<number> => {
  const hash = hashOf[kind];
  const fields = items.flatMap((item) => [item.id, canonical(item)]);
  return Number(await redis.eval(replaceScript, 2, hash, versionOf(hash), expected, kind, ...fields));
};

/** What must be there before what refers to it. */
const partsOf = ({ keys, workspaces, scimTokens = [], companies = [] }: Everything) =>
  [
    { kind: 'workspace', counts: 'workspaces', items: workspaces },
    { kind: 'key', counts: 'keys', items: keys.filter((key) => !key.revoked) },
    { kind: 'company', counts: 'workspaces', items: companies.map(served) },
    { kind: 'scim_token', counts: 'keys', items: scimTokens.filter((token) => !token.revoked) },
  ] as const;

const versionsIn = async (redis: Redis): Promise<Record<RecordKind, string>> => {
  const seen: Record<RecordKind, string> = { key: '0', workspace: '0', scim_token: '0', company: '0' };
  for (const kind of Object.keys(seen) as RecordKind[])
    seen[kind] = (await redis.get(versionOf(hashOf[kind]))) ?? '0';
  return seen;
};

/** Reads the truth and makes the copy equal to it (what is gone goes), again from the start when a change came between. */
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
