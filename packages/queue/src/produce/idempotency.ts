/** The record of an idempotency key: small, and counted in the share of its workspace (docs/adr/exactly-once.md, docs/adr/ingress.md). */
import { hash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Redis } from 'ioredis';
import { idempotencyKey, keptKey } from '../names.ts';

export interface StoredAnswer {
  status: number;
  body: string;
}

/** The fingerprint of the body, the stamp and id of the first attempt, and its answer once there is one. */
export interface Remembered {
  fingerprint: string;
  at: number;
  /** A repetition has the same id, also where another secret makes ids by now. An earlier version did not write it. */
  id?: string;
  answer?: StoredAnswer;
}

export const idempotencyDigest = (ws: string, op: string, key: string): string =>
  hash('sha256', `${ws}\n${op}\n${key}`, 'base64url').slice(0, 22);

/** Shorter texts don't get smaller. */
const usualPackFrom = 200;

/** The id begins with its stamp, behind one letter. An earlier version reads the stamp and passes over the rest. */
const head = ({ fingerprint, at, id }: Remembered): string =>
  `${fingerprint} ${id === undefined ? at.toString(36) : id.slice(1)}`;

/** One line, followed by the answer as the caller got it. Refused entries repeat each other: 10 KB of them are 300 bytes packed. */
export const packRemembered = (remembered: Remembered, packFrom = usualPackFrom): Buffer => {
  const { answer } = remembered;
  if (!answer) return Buffer.from(head(remembered));
  const isLong = answer.body.length > packFrom;
  const body = isLong ? deflateRawSync(answer.body) : Buffer.from(answer.body);
  return Buffer.concat([Buffer.from(`${head(remembered)} ${answer.status} ${isLong ? 'z' : 't'}\n`), body]);
};

const newline = 10;

export const unpackRemembered = (bytes: Buffer): Remembered => {
  const end = bytes.indexOf(newline);
  const line = bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
  const [fingerprint = '', stamp = '', status, form] = line.split(' ');
  const at = Number.parseInt(stamp, 36);
  const remembered = { fingerprint, at, ...(stamp.includes('-') && { id: `r${stamp}` }) };
  if (status === undefined) return remembered;
  const body = bytes.subarray(end + 1);
  const text = (form === 'z' ? inflateRawSync(body) : body).toString();
  return { ...remembered, answer: { status: Number(status), body: text } };
};

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
  /** Answers of at least so many bytes are packed. */
  packFrom?: number | undefined;
  now?: () => number;
}

export interface KeyClaim {
  ws: string;
  digest: string;
}

/**
 * The first attempt claims the key for its stamp. A later attempt gets that claim and, if there is no answer yet, enqueues the same request
 * again: the mark in MongoDB applies it once.
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
    async claim({ ws, digest }: KeyClaim, mine: Remembered): Promise<Remembered | 'full'> {
      const { current, before, stillKept } = windowsOf(ws);
      const value = packRemembered(mine);
      const keys = [idempotencyKey(digest), current, before];
      const size = overhead + value.length;
      const given = [value, seconds, size, Math.floor(most()), stillKept];
      const known = await redis.callBuffer('EVAL', claimScript, 3, ...keys, ...given);
      if (known === 0) return 'full';
      return known instanceof Buffer ? unpackRemembered(known) : mine;
    },
    async answer({ ws, digest }: KeyClaim, remembered: Remembered, answer: StoredAnswer): Promise<void> {
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
