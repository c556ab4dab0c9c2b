/** The services get no more rights in Redis than docs/redis.md gives them. */
import { redisRights } from '@roster/local-stack';
import type { Redis } from 'ioredis';

const user = 'roster';
const password = 'a password of tests';

/** Makes the user and returns the URL for it. */
export const withLeastRights = async (
  redis: Redis,
  url: string,
  rights = redisRights('roster'),
): Promise<string> => {
  await redis.call('ACL', 'SETUSER', user, 'reset', `>${password}`, ...rights);
  await redis.call('ACL', 'LOG', 'RESET');
  const asUser = new URL(url);
  asUser.username = user;
  asUser.password = password;
  return asUser.href;
};

/** `command flushall`, `key other`, `channel other`. */
export const refusedRights = async (redis: Redis): Promise<string[]> => {
  const entries = (await redis.call('ACL', 'LOG', '128')) as string[][];
  const refused = entries.map((entry) => {
    const of = (name: string): string => String(entry[entry.indexOf(name) + 1]);
    return `${of('reason')} ${of('object')}`;
  });
  return [...new Set(refused)].toSorted();
};

/** Throws if something was refused. */
export const assertRightsSuffice = (refused: readonly string[]): void => {
  if (refused.length > 0) throw new Error(`docs/redis.md gives too few rights: ${refused.join(', ')}`);
};
