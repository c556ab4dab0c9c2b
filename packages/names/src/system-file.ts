/**
 * What a small file of the system says, read again when it has changed. At once, and not by the threads of libuv: whatever fills
 * those must not hold up look-ups.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs';

const mostBytes = 1_048_576;

/** A file is looked at no more often. */
const usualEveryMs = 1_000;

/** To the system as well, a file that cannot be read says nothing. */
const orNothing = (read: () => string): string => {
  try {
    return read();
  } catch {
    return '';
  }
};

/** Empty: there is none. What is no file could be without an end. */
const versionOf = (path: string): string =>
  orNothing(() => {
    const file = statSync(path);
    return file.isFile() ? [file.ino, file.size, file.mtimeMs, file.ctimeMs].join() : '';
  });

const textOf = (path: string): string =>
  orNothing(() => {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(mostBytes);
      return bytes.toString('utf8', 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  });

export const createSystemFile = <Value>(
  path: string,
  parse: (text: string) => Value,
  everyMs = usualEveryMs,
): (() => Value) => {
  let [version, value, nextLook] = ['', parse(''), 0];
  return () => {
    const now = performance.now();
    if (now < nextLook) return value;
    nextLook = now + everyMs;
    const seen = versionOf(path);
    if (seen !== version) value = parse(seen && textOf(path));
    version = seen;
    return value;
  };
};
