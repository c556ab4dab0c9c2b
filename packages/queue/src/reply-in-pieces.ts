/** Sends a reply too long for one value, piece by piece. */
import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { replyKey } from './names.ts';
import { type Addressed, type Head, put } from './put-reply.ts';
import type { Place, Reply } from './reply-piece.ts';

/** So many values may lie in a list before the next piece is sent. The ingress that reads them sets the pace, and Redis stays small. */
const mostWaiting = 16;
const paceMs = 5;
const patienceMs = 10_000;

const packPiece = (id: string, { status, headers }: Reply, place: Place, bytes: Buffer): Buffer => {
  const head: Head = { id, status, place, ...(headers && { headers }) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), bytes]);
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** False when the ingress that asked has gone, or nearly so. */
const isTaken = async (redis: Redis, mailbox: string, until: number): Promise<boolean> => {
  while ((await redis.llen(replyKey(mailbox))) > mostWaiting) {
    if (performance.now() > until) return false;
    await pause(paceMs);
  }
  return true;
};

/** Sends one piece after the other. It gives up when the ingress stops reading: then no caller waits for this reply any more. */
export const sendInPieces = async (redis: Redis, { mailbox, id, reply }: Addressed): Promise<void> => {
  const pieces = [Buffer.from(reply.body), ...(reply.rest ?? [])].filter(({ length }) => length > 0);
  const sending = randomBytes(6).toString('hex');
  const until = performance.now() + patienceMs;
  for (const [nth, bytes] of pieces.entries()) {
    const place = { sending, nth, of: pieces.length };
    const waiting = await put(redis, mailbox, [packPiece(id, reply, place, bytes)]);
    if (waiting > mostWaiting && !(await isTaken(redis, mailbox, until))) return;
  }
};
