import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { replyKey } from '../names.ts';
import type { PiecePlace, Reply } from './pieces.ts';

/** A reply and the mailbox of the ingress that waits for it. */
interface Addressed {
  mailbox: string;
  id: string;
  reply: Reply;
}

export interface Head extends Omit<Reply, 'body' | 'rest' | 'release' | 'sent'> {
  id: string;
  place?: PiecePlace;
}

const keptSeconds = 60;

/** The next piece waits while a list has this many values. So the ingress that reads sets the pace, and Redis stays small. */
const mostWaiting = 16;
const paceMs = 5;
const patienceMs = 10_000;

/** The first line; the body as the caller gets it, or a piece of it, is the rest. JSON.stringify leaves `undefined` out. */
const headOf = ({ id, reply: { status, headers } }: Addressed, place?: PiecePlace): string =>
  `${JSON.stringify({ id, status, place, headers })}\n`;

const put = async (redis: Redis, mailbox: string, values: (string | Buffer)[]): Promise<number> => {
  const key = replyKey(mailbox);
  const [pushed] =
    (await redis
      .multi()
      .rpush(key, ...values)
      .expire(key, keptSeconds)
      .exec()) ?? [];
  return Number(pushed?.[1] ?? 0);
};

/** False when the ingress that waits for the reply has stopped, or is stopping. */
const isTaken = async (redis: Redis, mailbox: string, until: number): Promise<boolean> => {
  while ((await redis.llen(replyKey(mailbox))) > mostWaiting) {
    if (performance.now() > until) return false;
    await pause(paceMs);
  }
  return true;
};

/** Sends the pieces one by one. Stops when the ingress stops reading: then no caller waits for this reply any more. */
const sendInPieces = async (redis: Redis, one: Addressed): Promise<void> => {
  const { mailbox, reply } = one;
  const pieces = [Buffer.from(reply.body), ...(reply.rest ?? [])].filter(({ length }) => length > 0);
  const sending = randomBytes(6).toString('hex');
  const until = performance.now() + patienceMs;
  for (const [nth, bytes] of pieces.entries()) {
    const head = Buffer.from(headOf(one, { sending, nth, of: pieces.length }));
    const waiting = await put(redis, mailbox, [Buffer.concat([head, bytes])]);
    if (waiting > mostWaiting && !(await isTaken(redis, mailbox, until))) return;
  }
};

/** Sends results to the mailbox of the ingress that waits. They are removed when they are read, or after a minute. */
export const sendReplies = async (redis: Redis, replies: readonly Addressed[]): Promise<void> => {
  const byMailbox = new Map<string, string[]>();
  const long: Addressed[] = [];
  for (const one of replies) {
    if (one.reply.rest) long.push(one);
    else byMailbox.set(one.mailbox, [...(byMailbox.get(one.mailbox) ?? []), headOf(one) + one.reply.body]);
  }
  try {
    await Promise.all([...byMailbox].map(([mailbox, texts]) => put(redis, mailbox, texts)));
    for (const one of long) await sendInPieces(redis, one);
  } finally {
    for (const { reply } of replies) reply.sent?.();
  }
};
