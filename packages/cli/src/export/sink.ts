/** Where the lines go: a file that can be gone on with, or standard output. */
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { failed } from '../result.ts';

export interface Sink {
  write(text: string): Promise<void>;
  /** On disk, as far as there is one; says how many bytes there are. */
  sync(): Promise<number>;
  close(): Promise<void>;
}

/** Few large writes instead of many small ones. */
const pieceLength = 256 * 1024;

const gathering = (put: (bytes: Buffer) => Promise<void>) => {
  let parts: string[] = [];
  let length = 0;
  const flush = async (): Promise<void> => {
    if (length === 0) return;
    const bytes = Buffer.from(parts.join(''));
    [parts, length] = [[], 0];
    await put(bytes);
  };
  return {
    flush,
    async write(text: string): Promise<void> {
      parts.push(text);
      length += text.length;
      if (length >= pieceLength) await flush();
    },
  };
};

/** What stands behind `from` was written after the last saved place, and will be written again. */
export const openFile = async (path: string, from: number): Promise<Sink> => {
  const file = await open(path, from > 0 ? 'a' : 'w', 0o600);
  await file.truncate(from);
  let end = from;
  const { write, flush } = gathering(async (bytes) => {
    await file.appendFile(bytes);
    end += bytes.length;
  });
  return {
    write,
    async sync() {
      await flush();
      await file.datasync();
      return end;
    },
    close: () => file.close(),
  };
};

const explained = (error: Error): Error =>
  'code' in error && error.code === 'EPIPE'
    ? failed('stopped: nobody reads it any more. What was read is not the whole.')
    : error;

/** Waits whenever the reader does: nothing piles up here. */
export const openStream = (stream: Writable): Sink => {
  let [end, broken] = [0, undefined as Error | undefined];
  const fail = (error: Error): void => {
    broken = explained(error);
  };
  stream.on('error', fail);
  const { write, flush } = gathering(async (bytes) => {
    if (broken) throw broken;
    end += bytes.length;
    if (stream.write(bytes)) return;
    await once(stream, 'drain').catch((error) => {
      throw explained(error);
    });
  });
  return {
    write,
    async sync() {
      await flush();
      return end;
    },
    async close() {
      stream.off('error', fail);
    },
  };
};
