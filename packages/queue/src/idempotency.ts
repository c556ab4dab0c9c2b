/** The record of an idempotency key: small, and counted in the share of its workspace (docs/adr/0006, 0020). */
import { hash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { idempotencyKey, keptKey } from './names.ts';
import { packRemembered, type Remembered, type StoredAnswer, unpackRemembered } from './remembered.ts';

export const idempotencyDigest = (ws: string, op: string, key: string): string =>
  hash('sha256', `${ws}\n${op}\n${key}`, 'base64url').slice(0, 22);

/** About the bytes of a key in Redis beside its value: its name, its place in the tables of keys and of times. */
const overhead = 200;

/**
 * The counter of this window, plus the one before weighted by the part that is still remembered, tells how many bytes a workspace has in
 * Redis. A key that is stored already is never refused.
 */
const claimScript = `
local known = redis.call('GET', KEYS[1])
if known then return known end
local kept = tonumber(redis.call('GET', KEYS[2]) or '0')
local before = tonumber(redis.call('GET', KEYS[3]) or '0') * tonumber(ARGV[5])
if kept + before + tonumber(ARGV[3]) > tonumber(ARGV[4]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
redis.call('INCRBY', KEYS[2], ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[2] * 2)
return false`;

export interface IdempotencyOptions {
  redis: Redis;
  hours: number;
  /** The bytes that may be kept for one workspace. */
  most(): number;
  /** Answers are packed from so many bytes on. */
  packFrom?: number;
  now?: () => number;
}

export interface Claim {
  ws: string;
  digest: string;
}

/**
 * The first to come claims the key for its stamp; a later attempt gets that claim back and, if the first answer never left,
 * enqueues the same request once more: the mark in MongoDB applies it once.
 */
export const createIdempotency = ({ redis, hours, most, packFrom, now = Date.now }: IdempotencyOptions) => {
  const seconds = Math.ceil(hours * 3600);

  const windowsOf = (ws: string) => {
    const time = now() / 1000 / seconds;
    const number = Math.floor(time);
    return { current: keptKey(ws, number), before: keptKey(ws, number - 1), stillKept: 1 - (time - number) };
  };

  return {
    /** `full` when there is no room for one more key of this workspace. */
    async claim({ ws, digest }: Claim, mine: Remembered): Promise<Remembered | 'full'> {
      const { current, before, stillKept } = windowsOf(ws);
      const value = packRemembered(mine);
      const keys = [idempotencyKey(digest), current, before];
      const size = overhead + value.length;
      const known = await redis.callBuffer(
        'EVAL',
        claimScript,
        3,
        ...keys,
        value,
        seconds,
        size,
        Math.floor(most()),
        stillKept,
      );
      if (known === 0) return 'full';
      return known instanceof Buffer ? unpackRemembered(known) : mine;
    },
    async answer({ ws, digest }: Claim, remembered: Remembered, answer: StoredAnswer): Promise<void> {
      const value = packRemembered({ ...remembered, answer }, packFrom);
      const { current } = windowsOf(ws);
      await redis
        .multi()
        .set(idempotencyKey(digest), value, 'EX', seconds)
        .incrby(current, value.length)
        .expire(current, seconds * 2)
        .exec();
    },
  };
};
