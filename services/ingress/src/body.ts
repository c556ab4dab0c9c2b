/** Reads a body: no faster than there is room for it, and no longer than its time limit. */

import { announcedLength } from './check-headers.ts';
import { Aborted, type Collecting, collect, type Reading } from './collect.ts';
import type { Deadlines } from './deadlines.ts';
import type { Release } from './lines.ts';
import { type Rooms, smallBody } from './rooms.ts';

/** A body in memory. `release` gives its room back. */
export interface RoomedBody {
  bytes: Buffer;
  release: Release;
}

const baseMs = 10_000;
const bytesInMs = 512;

/** A caller that sends half a megabyte a second has time enough. */
export const timeLimitMs = (bytes: number): number => baseMs + bytes / bytesInMs;

export const createBodyReader = (rooms: Rooms, deadlines: Deadlines, limitMs = timeLimitMs) => {
  const watched: Collecting['watched'] = (bytes, late) =>
    deadlines.watch(performance.now() + limitMs(bytes), late);

  return async ({ request, ws, limit }: Reading): Promise<RoomedBody> => {
    const announced = announcedLength(request);
    let release: Release = () => {};
    try {
      const taken = rooms.reading(ws, announced ?? smallBody);
      release = taken instanceof Promise ? await taken : taken;
      if (request.destroyed) throw new Aborted('the caller went away');
      const outgrown = async (): Promise<void> => {
        const larger = await rooms.reading(ws, limit);
        release();
        release = larger;
      };
      const bytes = await collect({ request, ws, limit }, announced, { outgrown, watched });
      return { bytes, release: () => release() };
    } catch (error) {
      release();
      throw error;
    }
  };
};

export type ReadBody = ReturnType<typeof createBodyReader>;
