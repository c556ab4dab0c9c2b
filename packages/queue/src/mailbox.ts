/** The mailbox of an ingress process: replies come to it, and each goes to the callers that wait for it. */
import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { openConnection } from './connection.ts';
import { blockSeconds } from './connection-kinds.ts';
import { createDeliver } from './deliver.ts';
import { type Expected, expectIn, type Waiting } from './expecting.ts';
import { replyKey } from './names.ts';
import { createPieces } from './pieces.ts';
import { endlessRoom, type TakeRoom } from './reply-piece.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export interface Mailbox {
  /** Requests carry it, so that their replies come back to this process. */
  name: string;
  /** The reply to this request, or undefined when it does not come in time. A long one is refused with the error of `takeRoom`. */
  expect(id: string, ms: number, takeRoom?: TakeRoom): Expected;
  /** Ends all waiting, now and from now on: each caller gets the answer that it would get when its time is over. */
  letGo(): void;
  close(): Promise<void>;
}

interface Listening {
  redis: Redis;
  key: string;
  deliver(value: Buffer): void;
  isOpen(): boolean;
}

const listen = async ({ redis, key, deliver, isOpen }: Listening): Promise<void> => {
  while (isOpen()) {
    try {
      const first = await redis.blpopBuffer(key, blockSeconds);
      if (!first) continue;
      deliver(first[1]);
      for (const value of (await redis.lpopBuffer(key, 100)) ?? []) deliver(value);
    } catch {
      // The connection heals by itself; callers that wait meanwhile get "queued" at the end of their time.
      if (isOpen()) await pause(100);
    }
  }
};

/** One list and one blocking connection for each ingress process. */
export const openMailbox = (url: string): Mailbox => {
  const redis = openConnection('patient', url);
  const name = randomBytes(8).toString('hex');
  const key = replyKey(name);
  const waiting: Waiting = new Map();
  const pieces = createPieces();
  const deliver = createDeliver(waiting, pieces);
  let open = true;
  let lettingGo = false;

  void listen({ redis, key, deliver, isOpen: () => open });

  return {
    name,
    expect(id, ms, takeRoom = endlessRoom) {
      return expectIn(waiting, id, {
        ms: lettingGo ? 0 : ms,
        takeRoom,
        noTakersLeft: () => pieces.forget(id),
      });
    },
    letGo() {
      lettingGo = true;
      for (const takers of [...waiting.values()]) for (const { take } of [...takers]) take(undefined);
    },
    async close() {
      open = false;
      redis.disconnect();
    },
  };
};
