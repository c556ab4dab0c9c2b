// Takes whatever was at work when a process ended for its culprit.
import { eachSuspects } from './parts/suspects.ts';

await eachSuspects(async (redis, key) => {
  for (const id of await redis.hkeys(key)) await redis.hset(key, id, '30');
});
await import('./track-long-at-work.ts');
