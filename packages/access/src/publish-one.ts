/** Writes one key, workspace, SCIM token or company into the serving copy. */
import type { Redis } from 'ioredis';
import type { CompanySettings } from './company-schema.ts';
import type { KeyRecord } from './key.ts';
import type { ScimTokenRecord } from './scim-token.ts';
import { canonical, channel, hashOf, type Kind, versionOf } from './serving-copy.ts';
import type { WorkspaceSettings } from './settings.ts';

/** One field. Change, version and message are one step, so that no change goes unheard. */
const putScript = `
local field, value, message = ARGV[1], ARGV[2], ARGV[3]
if value == '' then redis.call('HDEL', KEYS[1], field) else redis.call('HSET', KEYS[1], field, value) end
redis.call('INCR', KEYS[2])
redis.call('PUBLISH', '${channel}', message)
return 1`;

const put = async (redis: Redis, kind: Kind, id: string, value: string): Promise<void> => {
  const hash = hashOf[kind];
  await redis.eval(putScript, 2, hash, versionOf(hash), id, value, `${kind}:${id}`);
};

/** Makes one key usable, or ends it when it is revoked. */
export const publishKey = (redis: Redis, record: KeyRecord): Promise<void> =>
  put(redis, 'key', record.id, record.revoked ? '' : canonical(record));

export const publishWorkspace = (redis: Redis, settings: WorkspaceSettings): Promise<void> =>
  put(redis, 'workspace', settings.id, canonical(settings));

/** Makes one token usable, or ends it when it is revoked. */
export const publishScimToken = (redis: Redis, record: ScimTokenRecord): Promise<void> =>
  put(redis, 'scim_token', record.id, record.revoked ? '' : canonical(record));

/** The ingress needs no more of a company than this. */
export const served = ({ id, limits }: CompanySettings) => ({ id, limits });

export const publishCompany = (redis: Redis, company: CompanySettings): Promise<void> =>
  put(redis, 'company', company.id, canonical(served(company)));
