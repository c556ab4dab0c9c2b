// The evidence in Redis, changed behind the back of a worker before it starts.
import { Redis } from 'ioredis';

/** Of all queues of track: the key of the evidence, and a connection. */
export const eachSuspects = async (
  change: (redis: Redis, key: string) => Promise<unknown>,
): Promise<void> => {
  const redis = new Redis(process.env.REDIS_URL ?? '');
  for (let partition = 0; partition < 16; partition++)
    for (const name of [`track-${partition}`, `track-heavy-${partition}`])
      await change(redis, `{roster:${name}}:${name}:suspects`);
  redis.disconnect();
};
