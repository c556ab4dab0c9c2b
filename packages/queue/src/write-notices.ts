/** Writes the notices of identity requests. */
import { hash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { deletionsKey, namedKey } from './names.ts';
import type { Notice } from './notice.ts';

/** Stands beside the names of contacts: who has a contact, requests that are under way may change. */
export const contactName = '*';

const isContact = (key: string): boolean => /^[^:]*:[mp]:/.test(key);

/** A digest of an identity key: the key cannot be read from it. */
export const nameDigest = (secret: string, key: string): string =>
  hash('sha256', `${secret}\n${key}`, 'base64url').slice(0, 12);

export const namesOf = (secret: string, keys: readonly string[]): string[] => {
  const names = new Set(keys.map((key) => nameDigest(secret, key)));
  return keys.some(isContact) ? [...names, contactName] : [...names];
};

/**
 * A request of so many names is noted while there are fewer than this divided by their number. Beyond that the identity workers are so
 * far behind that nothing waits for it.
 */
export const mostNames = 20_000;

/** A notice ends with its request. After a crash, the next look removes the notices of finished requests. */
const lifeSeconds = 24 * 3600;

const noticeScript = `
local stamp, id, names, count = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
if redis.call('ZCARD', KEYS[1]) * count < ${mostNames} then
  redis.call('ZADD', KEYS[1], stamp, id .. ' ' .. names)
  redis.call('EXPIRE', KEYS[1], ${lifeSeconds})
end
if ARGV[5] == '1' then
  redis.call('ZADD', KEYS[2], stamp, id)
  redis.call('EXPIRE', KEYS[2], ${lifeSeconds})
end`;

const writeNotice = (redis: Redis, { ws, id, at, names, deletes }: Notice): Promise<unknown> =>
  redis.eval(
    noticeScript,
    2,
    ...[namedKey(ws), deletionsKey(ws)],
    ...[String(at), id, names.join(' '), names.length, deletes ? '1' : '0'],
  );

/** After its job was added and before the answer: a notice without an unfinished job is one that is finished. */
export const writeNotices = async (redis: Redis, notices: readonly Notice[]): Promise<void> => {
  if (notices.length > 0) await Promise.all(notices.map((notice) => writeNotice(redis, notice)));
};
