import type { Redis } from 'ioredis';
import { commandTimeoutMs } from './connection.ts';
import { within } from './unavailable.ts';

const withinMs = 200;

/** On how many replicas everything is that this connection has written. Less than asked for: not within the time that anybody waits. */
export const replicated = (redis: Redis, replicas: number): Promise<number> => redis.wait(replicas, withinMs);

/** Whether this connection has as many replicas as its requests need. That the primary itself does not answer is told elsewhere. */
export const hasReplicas = async (redis: Redis, replicas: number): Promise<boolean> => {
  if (replicas === 0) return true;
  return within(commandTimeoutMs, replicated(redis, replicas)).then(
    (reached) => reached >= replicas,
    () => true,
  );
};
