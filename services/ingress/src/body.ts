/** Reads a body: no faster than there is room for it, and no longer than its time limit. */
import type { IncomingMessage } from 'node:http';
import { type Dialect, Rejection } from '@roster/contract';
import type { Release } from './budget.ts';
import { Aborted, type BodyReading, type Collecting, collect } from './collect.ts';
import { type Rooms, smallBody } from './rooms.ts';

const json = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const contentTypes: Record<Dialect, RegExp> = {
  rest: json,
  activity: json,
  scim: /^application\/(scim\+)?json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i,
};

/** The length that the caller announces, or undefined without one. */
export const announcedLength = ({ headers }: IncomingMessage): number | undefined => {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length);
  return headers['transfer-encoding'] === undefined ? 0 : undefined;
};

/** Without an announced length a body is small until it proves otherwise. */
export const expectedLength = (request: IncomingMessage): number => announcedLength(request) ?? smallBody;

/** The checks before a byte of the body is read. */
export const checkHeaders = (request: IncomingMessage, limit: number, dialect: Dialect = 'rest'): void => {
  const { headers } = request;
  if (!contentTypes[dialect].test(headers['content-type'] ?? ''))
    throw new Rejection('CONTENT_TYPE_UNSUPPORTED');
  const encoding = headers['content-encoding'];
  if (encoding && encoding !== 'identity')
    throw new Rejection('CONTENT_TYPE_UNSUPPORTED', {
      message: 'Unsupported Media Type: send the body as it is, without Content-Encoding',
      headers: { 'Accept-Encoding': 'identity' },
    });
  if ((announcedLength(request) ?? 0) > limit) throw new Rejection('BODY_TOO_LARGE');
};

/** A body in memory. `release` gives its room back. */
export interface RoomedBody {
  bytes: Buffer;
  release: Release;
}

interface Watched {
  atMs: number;
  late(): void;
}

/** Time limits of many bodies at once: one timer for all, because a timer for each costs more than reading a small body. */
export const createDeadlines = (everyMs = 500) => {
  const watched = new Set<Watched>();
  const timer = setInterval(() => {
    const moment = performance.now();
    for (const one of watched) {
      if (one.atMs > moment) continue;
      watched.delete(one);
      one.late();
    }
  }, everyMs);
  timer.unref();
  return {
    /** Calls `late` some time after the moment, unless the answer is called before. */
    watch(atMs: number, late: () => void): () => void {
      const one = { atMs, late };
      watched.add(one);
      return () => watched.delete(one);
    },
    close: (): void => clearInterval(timer),
  };
};

type Deadlines = ReturnType<typeof createDeadlines>;

const baseMs = 10_000;
const bytesInMs = 512;

/** A caller that sends half a megabyte a second has time enough. */
export const timeLimitMs = (bytes: number): number => baseMs + bytes / bytesInMs;

export const createBodyReader = (rooms: Rooms, deadlines: Deadlines, limitMs = timeLimitMs) => {
  const watched: Collecting['watched'] = (bytes, late) =>
    deadlines.watch(performance.now() + limitMs(bytes), late);

  return async ({ request, ws, limit }: BodyReading): Promise<RoomedBody> => {
    const expected = expectedLength(request);
    let release: Release = () => {};
    try {
      const taken = rooms.reading(ws, expected);
      release = taken instanceof Promise ? await taken : taken;
      if (request.destroyed) throw new Aborted('the caller went away');
      const outgrown = async (): Promise<void> => {
        const larger = await rooms.reading(ws, limit);
        release();
        release = larger;
      };
      const bytes = await collect({ request, ws, limit }, expected, { outgrown, watched });
      return { bytes, release: () => release() };
    } catch (error) {
      release();
      throw error;
    }
  };
};

export type ReadBody = ReturnType<typeof createBodyReader>;
