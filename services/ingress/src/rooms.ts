/** The bytes of bodies that this process holds at a time: read, parsed, on their way to Redis (docs/adr/0020). */
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

export interface Rooms {
  /** Room for the bytes of a body, before they are read. */
  reading(ws: string, bytes: number): Release | Promise<Release>;
  /** A turn to be parsed and written to Redis: large bodies take turns, small ones don't wait. */
  working(ws: string, bytes: number): Release | Promise<Release>;
  used(): { small: number; large: number; inHand: number };
}

/** A quarter of the bytes is for small bodies. */
export const createRooms = (bytes: number): Rooms => {
  const smallBytes = Math.floor(bytes / 4);
  const largeBytes = Math.max(bytes - smallBytes, 2 * largestBody);
  const small = createBudget({ bytes: smallBytes, share: smallBytes / 2, patienceMs });
  const large = createBudget({ bytes: largeBytes, share: largeBytes / 2, patienceMs });
  const hand = createBudget({ bytes: inHand, share: inHand, patienceMs });
  const free = (): void => {};
  return {
    reading: (ws, size) => (size <= smallBody ? small : large).take(ws, size),
    working: (ws, size) => (size <= smallBody ? free : hand.take(ws, Math.min(size, inHand))),
    used: () => ({ small: small.used(), large: large.used(), inHand: hand.used() }),
  };
};

/** As if there were no limit: for the trial that has to see what that would mean. */
export const endlessRooms: Rooms = {
  reading: () => () => {},
  working: () => () => {},
  used: () => ({ small: 0, large: 0, inHand: 0 }),
};
