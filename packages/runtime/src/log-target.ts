/** Where log lines go. A write never blocks this thread: not by a slow disk, and not by a pipe without a reader. */
import { fstatSync, write } from 'node:fs';
import { Socket } from 'node:net';

/** Tells how many bytes were written; fewer than given when the rest can't be. */
type Written = (bytes: number) => void;
export type Target = (bytes: Buffer, written: Written) => void;

/** Another thread writes to a file. A partial write is continued until nothing more can be written. */
const toFile = (fd: number): Target => {
  const go = (bytes: Buffer, from: number, written: Written): void =>
    write(fd, bytes, from, bytes.length - from, null, (error, length) => {
      const done = from + (error ? 0 : length);
      if (error || length === 0 || done === bytes.length) written(done);
      else go(bytes, done, written);
    });
  return (bytes, written) => go(bytes, 0, written);
};

/**
 * A pipe with a stuck reader would block a thread for ever, and a process that waits for its threads can't exit. A socket writes
 * as much as the pipe takes and waits for room without a thread.
 */
const toStream = (fd: number): Target => {
  const socket = new Socket({ fd, readable: false, writable: true });
  socket.on('error', () => {}).unref();
  return (bytes, written) => void socket.write(bytes, (error) => written(error ? 0 : bytes.length));
};

export const openTarget = (fd: number): Target => {
  const kind = fstatSync(fd);
  return kind.isFIFO() || kind.isSocket() ? toStream(fd) : toFile(fd);
};
