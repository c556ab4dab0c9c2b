/** What Roster may do in Redis and at Sentinels, as production.md says: tests give it these rights, and no others. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const redisRights = (): { redis: string; sentinels: string } => {
  const docs = readFileSync(fileURLToPath(new URL('../../../docs/production.md', import.meta.url)), 'utf8');
  const [redis, sentinels] = docs.match(/(?<=^user roster on >PASSWORD ).*$/gm) ?? [];
  if (!redis || !sentinels) throw new Error('production.md does not say what Roster may do in Redis');
  return { redis, sentinels };
};
