/** The mailbox of an ingress process: replies come to it, and each goes to the callers that wait for it. */

import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { blockSeconds, openConnection } from '../connection.ts';
import { replyKey } from '../names.ts';
import { createPieces, endlessRoom, type Reply, type TakeRoom } from './pieces.ts';
import type { Head } from './reply.ts';

const newline = 10;

const unpack = (value: Buffer): { head: Head; bytes: Buffer } => {
  const end = value.indexOf(newline);
  return { head: JSON.parse(value.toString('utf8', 0, end)), bytes: value.subarray(end + 1) };
};

interface Taker {
  take(reply: Reply | undefined): void;
  refuse(error: unknown): void;
  takeRoom: TakeRoom;
}

/** By the id of the request. */
type TakersById = Map<string, Set<Taker>>;

interface Expecting {
  ms: number;
  takeRoom: TakeRoom;
  noTakersLeft(): void;
}

/** Adds one taker for the reply to a request: two requests with the same idempotency key may wait for one reply. */
const expectIn = (waiting: TakersById, id: string, { ms, takeRoom, noTakersLeft }: Expecting) => {
  let forget = (): void => {};
  const reply = new Promise<Reply | undefined>((resolve, reject) => {
    const takers = waiting.get(id) ?? new Set();
    const leave = (): void => {
      clearTimeout(timer);
      takers.delete(taker);
      if (takers.size > 0) return;
      waiting.delete(id);
      noTakersLeft();
    };
    const taker: Taker = {
      takeRoom,
      take(taken) {
        leave();
        resolve(taken);
      },
      refuse(error) {
        leave();
        reject(error);
      },
    };
    const timer = setTimeout(() => taker.take(undefined), ms);
    waiting.set(id, takers.add(taker));
    forget = () => taker.take(undefined);
  });
  return { reply, forget };
};

/** Gives a value of the list to every caller that waits for its request. */
const createDeliver =
  (waiting: TakersById, pieces: ReturnType<typeof createPieces>) =>
  (value: Buffer): void => {
    const { head, bytes } = unpack(value);
    const { id, place, ...rest } = head;
    const takers = [...(waiting.get(id) ?? [])];
    const [first] = takers;
    if (!first) return;
    try {
      const reply = place
        ? pieces.add(id, rest, { place, bytes }, first.takeRoom)
        : { ...rest, body: bytes.toString() };
      if (reply) for (const { take } of takers) take(reply);
    } catch (error) {
      for (const { refuse } of takers) refuse(error);
    }
  };

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
export const openMailbox = (url: string) => {
  const redis = openConnection('patient', url);
  const name = randomBytes(8).toString('hex');
  const key = replyKey(name);
  const waiting: TakersById = new Map();
  const pieces = createPieces();
  const deliver = createDeliver(waiting, pieces);
  let open = true;
  let lettingGo = false;

  void listen({ redis, key, deliver, isOpen: () => open });

  return {
    /** Requests carry it, so that their replies come back to this process. */
    name,
    /** The reply to this request; `undefined` when it does not come in time. A long reply without room is refused with the error of `takeRoom`. */
    expect(id: string, ms: number, takeRoom: TakeRoom = endlessRoom) {
      return expectIn(waiting, id, {
        ms: lettingGo ? 0 : ms,
        takeRoom,
        noTakersLeft: () => pieces.forget(id),
      });
    },
    /** Ends all waiting, now and from now on: each caller gets the answer for a timeout. */
    letGo(): void {
      lettingGo = true;
      for (const takers of [...waiting.values()]) for (const { take } of [...takers]) take(undefined);
    },
    async close(): Promise<void> {
      open = false;
      redis.disconnect();
    },
  };
};

export type Mailbox = ReturnType<typeof openMailbox>;
