import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { openPatientConnection } from './connection.ts';
import { replyKey } from './names.ts';

/** A worker's result on its way back; the body is JSON text that nobody on the way parses. */
export interface Reply {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

const keptSeconds = 60;

/** The first line says whose and what, the rest is the body as it goes to the caller. */
const pack = (id: string, { status, body, headers }: Reply): string =>
  `${JSON.stringify(headers ? { id, status, headers } : { id, status })}\n${body}`;

const unpack = (text: string): { id: string; reply: Reply } => {
  const end = text.indexOf('\n');
  const { id, ...head } = JSON.parse(text.slice(0, end)) as { id: string } & Omit<Reply, 'body'>;
  return { id, reply: { ...head, body: text.slice(end + 1) } };
};

/** Puts results where the ingress that asked takes them; they are gone when taken, or after a minute. */
export const sendReplies = async (
  redis: Redis,
  replies: readonly { address: string; id: string; reply: Reply }[],
): Promise<void> => {
  const byAddress = new Map<string, string[]>();
  for (const { address, id, reply } of replies) {
    byAddress.set(address, [...(byAddress.get(address) ?? []), pack(id, reply)]);
  }
  await Promise.all(
    [...byAddress].map(([address, texts]) =>
      redis
        .multi()
        .rpush(replyKey(address), ...texts)
        .expire(replyKey(address), keptSeconds)
        .exec(),
    ),
  );
};

export interface Mailbox {
  address: string;
  /** The reply to this request, or undefined when it does not come in time. */
  expect(id: string, ms: number): { reply: Promise<Reply | undefined>; forget(): void };
  close(): Promise<void>;
}

/** One list and one blocking connection for each ingress process. */
export const openMailbox = (url: string): Mailbox => {
  const redis = openPatientConnection(url);
  redis.on('error', () => {});
  const address = randomBytes(8).toString('hex');
  const key = replyKey(address);
  const waiting = new Map<string, Set<(reply: Reply | undefined) => void>>();
  let open = true;

  const deliver = (text: string): void => {
    const { id, reply } = unpack(text);
    for (const take of waiting.get(id) ?? []) take(reply);
  };

  const listen = async (): Promise<void> => {
    while (open) {
      try {
        const first = await redis.blpop(key, 5);
        if (!first) continue;
        deliver(first[1]);
        for (const text of (await redis.lpop(key, 100)) ?? []) deliver(text);
      } catch {
        // The connection heals by itself; whoever waits meanwhile gets "queued" at the end of its time.
        if (open) await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  };
  void listen();

  return {
    address,
    expect(id, ms) {
      let forget = (): void => {};
      const reply = new Promise<Reply | undefined>((resolve) => {
        const takers = waiting.get(id) ?? new Set();
        const take = (taken: Reply | undefined): void => {
          clearTimeout(timer);
          takers.delete(take);
          if (takers.size === 0) waiting.delete(id);
          resolve(taken);
        };
        const timer = setTimeout(() => take(undefined), ms);
        waiting.set(id, takers.add(take));
        forget = () => take(undefined);
      });
      return { reply, forget };
    },
    async close() {
      open = false;
      redis.disconnect();
    },
  };
};
