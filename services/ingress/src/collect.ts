/** Gathers the bytes of a body while they come. */
import type { IncomingMessage } from 'node:http';
import { Rejection } from '@roster/contract';
import { createCollector } from './collector.ts';
import { smallBody } from './rooms.ts';

/** The caller went away before its body was complete: no answer is possible. */
export class Aborted extends Error {}

export interface Reading {
  request: IncomingMessage;
  ws: string;
  /** The most bytes that the operation takes. */
  limit: number;
}

/** A broken connection is told by `close`, too. */
const ignored = (): void => {};

export interface Collecting {
  outgrown(): Promise<void>;
  /** Says so when this many bytes take too long, unless it is called off. */
  watched(bytes: number, late: () => void): () => unknown;
}

/** The room is taken; resolves with all bytes. `outgrown` is asked once, when a body without an announced length is not small. */
export const collect = (
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
