/** A file that grows in step with the saved place of an import. */
import { appendFileSync, existsSync, rmSync, statSync, truncateSync } from 'node:fs';

/** Not so a device such as /dev/null or /dev/fd/3: it keeps nothing, and stays. */
const isFile = (path: string): boolean => !existsSync(path) || statSync(path).isFile();

/** What stands after the last saved place will be written again. Returns the length of the file. */
const cutBack = (path: string, bytes: number): number => {
  if (!existsSync(path)) return 0;
  if (bytes === 0) rmSync(path);
  else if (statSync(path).size > bytes) truncateSync(path, bytes);
  return bytes === 0 ? 0 : statSync(path).size;
};

/** `bytes`: its length at the saved place. */
export const createKeptList = (path: string, bytes: number) => {
  const flush = isFile(path);
  let length = flush ? cutBack(path, bytes) : 0;
  let unwritten: Buffer[] = [];
  return {
    add(...parts: (Buffer | string)[]): void {
      unwritten.push(...parts.map((part) => Buffer.from(part)));
    },
    isEmpty: (): boolean => length === 0 && unwritten.length === 0,
    /** Returns the length of the file. */
    write(): number {
      const all = Buffer.concat(unwritten);
      unwritten = [];
      if (all.length > 0) appendFileSync(path, all, { mode: 0o600, flush });
      length += all.length;
      return length;
    },
  };
};
