import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const mostBytes = 16 * 1024;

const endOf = (file: string): string => {
  // Without waiting: a pipe has no end, and may have no writer.
  const opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(opened);
    if (!stat.isFile()) return '';
    const bytes = Buffer.alloc(Math.min(stat.size, mostBytes));
    readSync(opened, bytes, 0, bytes.length, stat.size - bytes.length);
    return bytes.toString('utf8');
  } finally {
    closeSync(opened);
  }
};

/** The last lines of a program's log, for the message that it did not start. A pipe or a device has none. */
export const logTail = (file: string, lines = 8): string => {
  try {
    return endOf(file).trimEnd().split('\n').slice(-lines).join('\n');
  } catch {
    return '';
  }
};
