/** The callers that wait for replies. */
import type { Reply, TakeRoom } from './reply-piece.ts';

interface Taker {
  take(reply: Reply | undefined): void;
  refuse(error: unknown): void;
  takeRoom: TakeRoom;
}

/** By the id of the request. */
export type Waiting = Map<string, Set<Taker>>;

/** The reply to one request; `undefined` when it does not come in time. */
export interface Expected {
  reply: Promise<Reply | undefined>;
  forget(): void;
}

interface Expecting {
  ms: number;
  takeRoom: TakeRoom;
  noTakersLeft(): void;
}

/** Adds one taker for the reply to a request: two requests with the same idempotency key may wait for one reply. */
export const expectIn = (
  waiting: Waiting,
  id: string,
  { ms, takeRoom, noTakersLeft }: Expecting,
): Expected => {
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
