/** Gathers log lines and writes them in pieces. Lines that can't be written are dropped and counted: a log must never stop a service (docs/adr/failures.md). */
import { fstatSync, write, writeSync } from 'node:fs';
import { Socket } from 'node:net';

/** Tells how many bytes were written; fewer than given when the rest can't be. */
type Written = (bytes: number) => void;
/** Where log lines go. A write never blocks this thread: not by a slow disk, and not by a pipe without a reader. */
export type Target = (bytes: Buffer, written: Written) => void;

/** Another thread writes to a file. What is written in part is continued, until nothing more can be written. */
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
  // Each write is told of it, and lost lines are counted.
  socket.on('error', () => {}).unref();
  return (bytes, written) => void socket.write(bytes, (error) => written(error ? 0 : bytes.length));
};

const openTarget = (fd: number): Target => {
  const kind = fstatSync(fd);
  return kind.isFIFO() || kind.isSocket() ? toStream(fd) : toFile(fd);
};

export interface LogWriterOptions {
  fd: number;
  /** Lines were dropped. */
  onLost(lines: number): void;
  /** Lines are written again, after so many were dropped. */
  onRecovered(lines: number): void;
  target?: Target;
}

/** Characters. To wake the thread that writes costs more than what it writes, so it is given about two hundred lines at once. */
const enough = 32 * 1024;
/** What waits while nothing can be written; lines beyond are dropped. */
const most = 1024 * 1024;
const everyMs = 100;

const newline = 10;
const linesIn = (bytes: Buffer): number => bytes.reduce((sum, byte) => (byte === newline ? sum + 1 : sum), 0);

const createLosses = (onLost: (lines: number) => void, onRecovered: (lines: number) => void) => {
  let lost = 0;
  return {
    drop(lines: number): void {
      lost += lines;
      onLost(lines);
    },
    /** Lines are written again. */
    recover(): void {
      if (lost === 0) return;
      const lines = lost;
      lost = 0;
      onRecovered(lines);
    },
  };
};

export const createLogWriter = ({ fd, onLost, onRecovered, target }: LogWriterOptions) => {
  const writeTo = target ?? openTarget(fd);
  const losses = createLosses(onLost, onRecovered);
  let text = '';
  let writing = false;
  /** The last write ended within a line. */
  let torn = false;
  let waiting: (() => void)[] = [];

  const settle = (): void => {
    const settled = waiting;
    waiting = [];
    for (const resolve of settled) resolve();
  };

  const written = (bytes: Buffer, length: number): void => {
    writing = false;
    const isWhole = length === bytes.length;
    if (length > 0) torn = bytes[length - 1] !== newline;
    if (text === '') settle();
    else if (waiting.length > 0 || (isWhole && text.length >= enough)) start();
    // After the start, or what has gathered meanwhile would leave no room for the line about it.
    if (!isWhole) losses.drop(linesIn(bytes.subarray(length)));
    else losses.recover();
  };

  const start = (): void => {
    if (writing || text === '') return;
    const bytes = Buffer.from(torn ? `\n${text}` : text);
    text = '';
    writing = true;
    writeTo(bytes, (length) => written(bytes, length));
  };

  setInterval(start, everyMs).unref();
  return {
    write(line: string): void {
      if (text.length + line.length > most) {
        losses.drop(1);
        return;
      }
      text += line;
      if (text.length >= enough) start();
    },
    /** Resolves when everything so far is written or dropped. */
    flush: () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve);
        start();
        if (!writing) settle();
      }),
    /** One try, for a process that exits now. */
    flushNow(): void {
      if (text === '') return;
      try {
        writeSync(fd, text);
      } catch {
        // Standard output is gone: no process can read this line.
      }
      text = '';
    },
  };
};
