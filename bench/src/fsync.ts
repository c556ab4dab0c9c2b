import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** How long the disk itself takes to keep a kilobyte: append and fdatasync, as Redis does for its log. Milliseconds. */
export const fsyncTimes = (dir: string, count: number): number[] => {
  const own = mkdtempSync(join(dir, 'fsync-'));
  const file = openSync(join(own, 'log'), 'a');
  const bytes = Buffer.alloc(1_000, 'x');
  try {
    return Array.from({ length: count }, () => {
      writeSync(file, bytes);
      const began = performance.now();
      fdatasyncSync(file);
      return performance.now() - began;
    });
  } finally {
    closeSync(file);
    rmSync(own, { recursive: true });
  }
};
