import type { Redis } from 'ioredis';

const withinMs = 200;

/** On how many replicas everything is that this connection has written. Less than asked for: not within the time that anybody waits. */
export const replicated = (redis: Redis, replicas: number): Promise<number> => redis.wait(replicas, withinMs);
