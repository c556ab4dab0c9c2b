import { hash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { idempotencyKey } from './names.ts';

export interface StoredAnswer {
  status: number;
  body: string;
}

/** What is remembered under a key: which request it became, of which body, and its first answer once that was given. */
export interface Remembered {
  fingerprint: string;
  id: string;
  at: number;
  answer?: StoredAnswer;
}

export const idempotencyDigest = (ws: string, op: string, key: string): string =>
  hash('sha256', `${ws}\n${op}\n${key}`, 'hex').slice(0, 40);

export const fingerprint = (body: Buffer | string): string => hash('sha256', body, 'base64').slice(0, 22);

const claimScript = `
local known = redis.call('GET', KEYS[1])
if known then return known end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return false`;

/**
 * The first to come claims the key for its request id and stamp; whoever comes later gets that claim back and, if the first
 * answer never left, enqueues the same request once more: the mark in MongoDB applies it once.
 */
export const createIdempotency = (redis: Redis, hours: number) => {
  const seconds = Math.ceil(hours * 3600);
  return {
    async claim(digest: string, mine: Remembered): Promise<Remembered> {
      const known = await redis.eval(claimScript, 1, idempotencyKey(digest), JSON.stringify(mine), seconds);
      return known ? (JSON.parse(String(known)) as Remembered) : mine;
    },
    async answer(digest: string, remembered: Remembered, answer: StoredAnswer): Promise<void> {
      await redis.set(idempotencyKey(digest), JSON.stringify({ ...remembered, answer }), 'EX', seconds);
    },
  };
};
