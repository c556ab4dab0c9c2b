/** After a change of the truth (MongoDB), publishes the serving copy (Redis); explains the state when only the first was done. */
import type { Redis } from 'ioredis';
import { failed, messageOf } from './result.ts';
import type { Servers } from './servers.ts';

export const publish = async (
  servers: Servers,
  what: string,
  write: (redis: Redis) => Promise<void>,
): Promise<void> => {
  try {
    await write(await servers.redis());
  } catch (error) {
    throw failed(
      `${what} in MongoDB, but Redis has not heard of it: ${messageOf(error)}\nThe monitor tells it within half a minute of its return; "roster access publish" does so at once.`,
    );
  }
};
