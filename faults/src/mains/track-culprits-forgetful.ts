// Forgets at every start which requests are suspected of having killed the process before.
import { Redis } from 'ioredis';

const redis = new Redis(process.env.REDIS_URL ?? '');
for (let partition = 0; partition < 16; partition++)
  for (const name of [`track-${partition}`, `track-heavy-${partition}`])
    await redis.del(`{roster:${name}}:${name}:suspects`);
redis.disconnect();

await import('./track-culprits.ts');
