import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { blockSeconds, openConnection } from './connection.ts';
import { replyKey } from './names.ts';
import { createPieces, endlessRoom, type Place, type Reply, type TakeRoom } from './pieces.ts';

interface Addressed {
  mailbox: string;
  id: string;
  reply: Reply;
}

interface Head extends Omit<Reply, 'body' | 'rest' | 'release' | 'sent'> {
  id: string;
  place?: Place;
}

const keptSeconds = 60;

/** So many values may lie in a list before the next piece is sent. The ingress that reads them sets the pace, and Redis stays small. */
const mostWaiting = 16;
const paceMs = 5;
const patienceMs = 10_000;

/** The first line holds request id, status and headers; the rest is the body as the caller gets it. */
const pack = (id: string, { status, body, headers }: Reply): string =>
  `${JSON.stringify(headers ? { id, status, headers } : { id, status })}\n${body}`;

const packPiece = (id: string, { status, headers }: Reply, place: Place, bytes: Buffer): Buffer => {
  const head: Head = { id, status, place, ...(headers && { headers }) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), bytes]);
};

const newline = 10;

const unpack = (value: Buffer): { head: Head; bytes: Buffer } => {
  const end = value.indexOf(newline);
  return { head: JSON.parse(value.toString('utf8', 0, end)), bytes: value.subarray(end + 1) };
};

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
const sendInPieces = async (redis: Redis, { mailbox, id, reply }: Addressed): Promise<void> => {
  const pieces = [Buffer.from(reply.body), ...(reply.rest ?? [])].filter(({ length }) => length > 0);
  const sending = randomBytes(6).toString('hex');
  const until = performance.now() + patienceMs;
  for (const [nth, bytes] of pieces.entries()) {
    const place = { sending, nth, of: pieces.length };
    const waiting = await put(redis, mailbox, [packPiece(id, reply, place, bytes)]);
    if (waiting > mostWaiting && !(await isTaken(redis, mailbox, until))) return;
  }
};

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

export interface Mailbox {
  /** Requests carry it, so that their replies come back to this process. */
  name: string;
  /** The reply to this request, or undefined when it does not come in time. A long one is refused with what `takeRoom` throws. */
  expect(id: string, ms: number, takeRoom?: TakeRoom): { reply: Promise<Reply | undefined>; forget(): void };
  /** Ends all waiting, now and from now on: each caller gets the answer that it would get when its time is over. */
  letGo(): void;
  close(): Promise<void>;
}

interface Taker {
  take(reply: Reply | undefined): void;
  refuse(error: unknown): void;
  takeRoom: TakeRoom;
}

interface Expecting {
  ms: number;
  takeRoom: TakeRoom;
  noTakersLeft(): void;
}

/** Adds one taker for the reply to a request: two requests with the same idempotency key may wait for one reply. */
const expectIn = (
  waiting: Map<string, Set<Taker>>,
  id: string,
  { ms, takeRoom, noTakersLeft }: Expecting,
): ReturnType<Mailbox['expect']> => {
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

/** One list and one blocking connection for each ingress process. */
export const openMailbox = (url: string): Mailbox => {
  const redis = openConnection('patient', url);
  const name = randomBytes(8).toString('hex');
  const key = replyKey(name);
  const waiting = new Map<string, Set<Taker>>();
  const pieces = createPieces();
  let open = true;
  let lettingGo = false;

  const deliver = (value: Buffer): void => {
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

  const listen = async (): Promise<void> => {
    while (open) {
      try {
        const first = await redis.blpopBuffer(key, blockSeconds);
        if (!first) continue;
        deliver(first[1]);
        for (const value of (await redis.lpopBuffer(key, 100)) ?? []) deliver(value);
      } catch {
        // The connection heals by itself; callers that wait meanwhile get "queued" at the end of their time.
        if (open) await pause(100);
      }
    }
  };
  void listen();

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
