/** What processes have noted of themselves in Redis. A note goes when nobody renews it. */
import type { Redis } from 'ioredis';

export const readNotes = async <Note>(redis: Redis, keys: string[]): Promise<Note[]> => {
  const found = await redis.mget(keys);
  return found.flatMap((text) => (text === null ? [] : [JSON.parse(text) as Note]));
};
