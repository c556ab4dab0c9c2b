/** Reads a body: no faster than there is room for it, and no longer than its time limit. */
import type { IncomingMessage } from 'node:http';
import { type Dialect, Rejection } from '@roster/contract';
import type { Release } from './budget.ts';
import type { Deadlines } from './deadlines.ts';
import { type Rooms, smallBody } from './rooms.ts';

const contentTypes: Record<Dialect, RegExp> = {
  rest: /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i,
  scim: /^application\/(scim\+)?json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i,
};

/** The length that the caller announces, or undefined without one. */
export const announcedLength = ({ headers }: IncomingMessage): number | undefined => {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length);
  return headers['transfer-encoding'] === undefined ? 0 : undefined;
};

/** The checks before a byte of the body is read. */
export const checkHeaders = (request: IncomingMessage, limit: number, dialect: Dialect = 'rest'): void => {
  const { headers } = request;
  if (!contentTypes[dialect].test(headers['content-type'] ?? ''))
    throw new Rejection('CONTENT_TYPE_UNSUPPORTED');
  const encoding = headers['content-encoding'];
  if (encoding && encoding !== 'identity') throw new Rejection('CONTENT_TYPE_UNSUPPORTED');
  if ((announcedLength(request) ?? 0) > limit) throw new Rejection('BODY_TOO_LARGE');
};

/** The caller went away before its body was complete: no answer is possible. */
export class Aborted extends Error {}

/** A body in memory. `release` gives its room back. */
export interface RoomedBody {
  bytes: Buffer;
  release: Release;
}

const baseMs = 10_000;
const bytesInMs = 512;

/** A caller that sends half a megabyte a second has time enough. */
export const timeLimitMs = (bytes: number): number => baseMs + bytes / bytesInMs;

export interface Reading {
  request: IncomingMessage;
  ws: string;
  /** The most bytes that the operation takes. */
  limit: number;
}

const none = Buffer.alloc(0);

/** A broken connection is told by `close`, too. */
const ignored = (): void => {};

/** The bytes that have come, with room for as many as were announced; a body in one piece is not copied. */
const createCollector = (announced: number) => {
  let whole: Buffer | undefined;
  let only: Buffer | undefined;
  let size = 0;
  const room = (bytes: number): Buffer => {
    const larger = Buffer.allocUnsafeSlow(bytes);
    (whole?.subarray(0, size) ?? only ?? none).copy(larger);
    whole = larger;
    return larger;
  };
  return {
    add(chunk: Buffer): void {
      if (size === 0) only = chunk;
      else chunk.copy(whole ?? room(announced), size);
      size += chunk.length;
    },
    /** What is not written to takes no memory yet. */
    grow: room,
    size: () => size,
    bytes: () => whole?.subarray(0, size) ?? only ?? none,
  };
};

interface Collecting {
  outgrown(): Promise<void>;
  /** Says so when this many bytes take too long, unless it is called off. */
  watched(bytes: number, late: () => void): () => unknown;
}

/** The room is taken; resolves with all bytes. `outgrown` is asked once, when a body without an announced length is not small. */
const collect = (
  { request, limit }: Reading,
  announced: number | undefined,
  { outgrown, watched }: Collecting,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const collector = createCollector(announced ?? smallBody);
    let most = announced ?? smallBody;
    let done = (): unknown => undefined;
    const watch = (bytes: number): void => {
      done();
      done = watched(bytes, () => fail(new Rejection('BODY_TOO_SLOW')));
    };
    const fail = (error: unknown): void => {
      done();
      request.off('data', take).off('end', end).off('close', gone).resume();
      reject(error);
    };
    const grow = async (chunk: Buffer): Promise<void> => {
      request.pause();
      await outgrown();
      most = limit;
      collector.grow(limit);
      watch(limit);
      collector.add(chunk);
      request.resume();
    };
    const take = (chunk: Buffer): void => {
      const size = collector.size() + chunk.length;
      if (size > limit) fail(new Rejection('BODY_TOO_LARGE'));
      else if (size > most) grow(chunk).catch(fail);
      else collector.add(chunk);
    };
    const end = (): void => {
      done();
      request.off('close', gone);
      resolve(collector.bytes());
    };
    const gone = (): void => fail(new Aborted('the caller went away'));
    watch(most);
    request.on('data', take).once('end', end).once('close', gone).on('error', ignored);
  });

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
