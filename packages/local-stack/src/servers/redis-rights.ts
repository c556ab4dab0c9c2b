/** The rights in Redis, and of its sentinels, that docs/redis.md gives: they are tested as they stand there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../stack/checkout.ts';

export type RightsOf = 'roster' | 'roster-watch';

/** As ACL SETUSER takes them, after the name and the password. */
export const redisRights = (user: RightsOf): string[] => {
  const page = readFileSync(join(checkout(), 'docs/redis.md'), 'utf8');
  const [, rights] = new RegExp(`^user ${user} on #SHA256 ([^\`]+)`, 'm').exec(page) ?? [];
  if (!rights) throw new Error(`docs/redis.md does not say the rights of ${user}`);
  return ['on', ...rights.trim().split(/\s+/)];
};
