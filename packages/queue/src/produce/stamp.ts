import type { Redis } from 'ioredis';
import { stampKey } from '../names.ts';

/**
 * A hybrid clock: microseconds, but always later than every stamp before, whatever the machines' clocks do.
 * One call gives the stamps of a whole group; the text form keeps all 16 digits.
 */
const script = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local last = tonumber(redis.call('GET', KEYS[1]) or '0')
local top = math.max(last + tonumber(ARGV[1]), now)
redis.call('SET', KEYS[1], string.format('%.0f', top))
return string.format('%.0f', top)`;

/** Reserves `count` consecutive stamps and returns the first one. */
export const takeStamps = async (redis: Redis, count: number): Promise<number> => {
  const top = await redis.eval(script, 1, stampKey, count);
  return Number(top) - count + 1;
};

export const stampToDate = (stamp: number): Date => new Date(stamp / 1000);
