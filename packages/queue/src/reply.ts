import type { Redis } from 'ioredis';
import { type Addressed, put } from './put-reply.ts';
import { sendInPieces } from './reply-in-pieces.ts';
import type { Reply } from './reply-piece.ts';

/** The first line holds request id, status and headers; the rest is the body as the caller gets it. */
const pack = (id: string, { status, body, headers }: Reply): string =>
  `${JSON.stringify(headers ? { id, status, headers } : { id, status })}\n${body}`;

/** Puts results where the ingress that asked takes them; they are gone when taken, or after a minute. */
export const sendReplies = async (redis: Redis, replies: readonly Addressed[]): Promise<void> => {
  const byMailbox = new Map<string, string[]>();
  const long: Addressed[] = [];
  for (const one of replies) {
    if (one.reply.rest) long.push(one);
    else byMailbox.set(one.mailbox, [...(byMailbox.get(one.mailbox) ?? []), pack(one.id, one.reply)]);
  }
  try {
    await Promise.all([...byMailbox].map(([mailbox, texts]) => put(redis, mailbox, texts)));
    for (const one of long) await sendInPieces(redis, one);
  } finally {
    for (const { reply } of replies) reply.sent?.();
  }
};
