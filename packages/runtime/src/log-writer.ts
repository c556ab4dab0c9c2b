/** Gathers log lines and writes them in pieces. Lines that can't be written are dropped and counted: a log must never stop a service (docs/adr/failures.md). */
import { writeSync } from 'node:fs';
import { openTarget, type Target } from './log-target.ts';

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
