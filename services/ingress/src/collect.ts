/** Gathers the bytes of a body while they come. */
import type { IncomingMessage } from 'node:http';
import { Rejection } from '@roster/contract';

/** The caller went away before its body was complete: no answer is possible. */
export class Aborted extends Error {}

export interface BodyReading {
  request: IncomingMessage;
  ws: string;
  /** The most bytes that the operation takes. */
  limit: number;
}

const none = Buffer.alloc(0);

/** A broken connection is told by `close`, too. */
const ignored = (): void => {};

/** The bytes that have come, with room for as many as are expected; a body in one piece is not copied. */
const createCollector = (expected: number) => {
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
      else chunk.copy(whole ?? room(expected), size);
      size += chunk.length;
    },
    /** What is not written to takes no memory yet. */
    grow: room,
    size: () => size,
    bytes: () => whole?.subarray(0, size) ?? only ?? none,
  };
};

export interface Collecting {
  outgrown(): Promise<void>;
  /** Says so when this many bytes take too long, unless it is called off. */
  watched(bytes: number, late: () => void): () => unknown;
}

/** The room is taken; resolves with all bytes. `outgrown` is asked once, when a body without an announced length is not small. */
export const collect = (
  { request, limit }: BodyReading,
  expected: number,
  { outgrown, watched }: Collecting,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const collector = createCollector(expected);
    let most = expected;
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
