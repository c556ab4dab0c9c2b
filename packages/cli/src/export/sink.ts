/** The target of the lines: a file that can be continued, or standard output. */
import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { failed } from '../result.ts';

export interface Sink {
  write(text: string): Promise<void>;
  /** On disk, where there is one; returns the number of bytes. */
  sync(): Promise<number>;
  close(): Promise<void>;
}

interface Target {
  put(bytes: Buffer): Promise<unknown>;
  settle?(): Promise<void>;
  close(): Promise<void>;
}

/** A few large writes instead of many small ones. */
const pieceLength = 256 * 1024;

const sinkOf = ({ put, settle, close }: Target, from = 0): Sink => {
  let [parts, length, end] = [[] as string[], 0, from];
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(parts.join(''));
    [parts, length] = [[], 0];
    if (bytes.length > 0) await put(bytes);
    end += bytes.length;
  };
  return {
    async write(text) {
      parts.push(text);
      length += text.length;
      if (length >= pieceLength) await flush();
    },
    async sync() {
      await flush();
      await settle?.();
      return end;
    },
    close,
  };
};

/** The bytes after `from` were written after the last saved place, and will be written again. */
export const openFile = async (path: string, from: number): Promise<Sink> => {
  const file = await open(path, from > 0 ? 'a' : 'w', 0o600);
  await file.truncate(from);
  const put = (bytes: Buffer) => file.appendFile(bytes);
  return sinkOf({ put, settle: () => file.datasync(), close: () => file.close() }, from);
};

const explained = (error: Error): Error =>
  'code' in error && error.code === 'EPIPE'
    ? failed('stopped: the reader has gone. The lines that it read are not the whole.')
    : error;

/** Waits whenever the reader does: no lines pile up here. */
export const openStream = (stream: Writable): Sink => {
  // It is told to the one who writes.
  const heard = (): void => {};
  stream.on('error', heard);
  return sinkOf({
    put: (bytes) =>
      new Promise<void>((resolve, reject) => {
        stream.write(bytes, (error) => (error ? reject(explained(error)) : resolve()));
      }),
    async close() {
      stream.off('error', heard);
    },
  });
};
