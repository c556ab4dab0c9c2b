/** Puts a reply, or a piece of one, into the mailbox of its ingress. */
import type { Redis } from 'ioredis';
import { replyKey } from './names.ts';
import type { Place, Reply } from './reply-piece.ts';

/** A reply and the mailbox of the ingress that waits for it. */
export interface Addressed {
  mailbox: string;
  id: string;
  reply: Reply;
}

export interface Head extends Omit<Reply, 'body' | 'rest' | 'release' | 'sent'> {
  id: string;
  place?: Place;
}

const keptSeconds = 60;

export const put = async (redis: Redis, mailbox: string, values: (string | Buffer)[]): Promise<number> => {
  const key = replyKey(mailbox);
  const [pushed] =
    (await redis
      .multi()
      .rpush(key, ...values)
      .expire(key, keptSeconds)
      .exec()) ?? [];
  return Number(pushed?.[1] ?? 0);
};
