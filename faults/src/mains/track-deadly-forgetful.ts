// Forgets at every start which requests are suspected of having killed the process before.
import { Redis } from 'ioredis';

const redis = new Redis(process.env.REDIS_URL ?? '');
for (let partition = 0; partition < 16; partition++)
  await redis.del(`{roster:track-${partition}}:track-${partition}:suspects`);
redis.disconnect();

await import('./track-deadly.ts');
