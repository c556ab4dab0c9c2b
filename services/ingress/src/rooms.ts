/** The bytes of bodies and long replies that this process holds at a time, and how many requests wait for a reply (docs/adr/ingress.md). */
import { createBudget, type Release } from './budget.ts';

const kb = 1024;
const mb = 1024 * kb;

/** Bodies of at most so many bytes have a room of their own, so that they never wait for large ones. */
export const smallBody = 64 * kb;

/** The largest body that an operation takes. */
const largestBody = 6 * mb;

const patienceMs = 2000;

/** While a large body is parsed and written to Redis, its process holds about five times its bytes. */
const inHand = largestBody;

/** Requests that wait for a reply: each holds a connection and about 10 KB. */
const mostWaiting = 4000;

/** What a workspace may have of long replies: some exports of the largest size at once. */
const leastReplyShare = 72 * mb;

const free: Release = () => {};

/** A quarter of the bytes is for small bodies. Replies have as many bytes again, but for two workspaces with the least share of replies at least. */
export const createRooms = (bytes: number) => {
  const smallBytes = Math.floor(bytes / 4);
  const largeBytes = Math.max(bytes - smallBytes, 2 * largestBody);
  const small = createBudget({ bytes: smallBytes, share: smallBytes / 2, patienceMs });
  const large = createBudget({ bytes: largeBytes, share: largeBytes / 2, patienceMs });
  const hand = createBudget({ bytes: inHand, share: inHand, patienceMs });
  const seats = createBudget({ bytes: mostWaiting, share: mostWaiting / 2, patienceMs });
  const replyBytes = Math.max(bytes, 2 * leastReplyShare);
  const replies = createBudget({ bytes: replyBytes, share: replyBytes / 2, patienceMs });
  return {
    /** Room for the bytes of a body, before they are read. */
    reading: (ws: string, size: number) => (size <= smallBody ? small : large).take(ws, size),
    /** A turn to be parsed and written to Redis: large bodies take turns, small ones don't wait. */
    working: (ws: string, size: number) => (size <= smallBody ? free : hand.take(ws, Math.min(size, inHand))),
    /** A place to wait for a reply. Throws NoRoom. */
    waiting: (ws: string) => seats.takeNow(ws, 1),
    /** Room for a piece of a long reply, until the caller has taken it. Throws NoRoom. */
    replying: (ws: string, size: number) => replies.takeNow(ws, size),
    used: () => ({
      small: small.used(),
      large: large.used(),
      inHand: hand.used(),
      waiting: seats.used(),
      replies: replies.used(),
    }),
  };
};

export type Rooms = ReturnType<typeof createRooms>;

/** As if there were no limit: for the trial that has to see what that would mean. */
export const endlessRooms: Rooms = {
  reading: () => free,
  working: () => free,
  waiting: () => free,
  replying: () => free,
  used: () => ({ small: 0, large: 0, inHand: 0, waiting: 0, replies: 0 }),
};
