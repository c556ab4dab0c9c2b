import type { Redis } from 'ioredis';
import { within } from './unavailable.ts';

const limitMs = 1000;

/** Whether Redis answers on each of these connections, within a second. */
export const answers = async (...connections: readonly Redis[]): Promise<boolean> => {
  if (connections.some(({ status }) => status !== 'ready')) return false;
  try {
    await within(limitMs, Promise.all(connections.map((redis) => redis.ping())));
    return true;
  } catch {
    return false;
  }
};
