/** A fingerprint of a file: a resumed import must read the same one. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

const edge = 64 * 1024;

export const readAt = (file: string, from: number, length: number): Buffer => {
  const descriptor = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, readSync(descriptor, buffer, 0, length, from));
  } finally {
    closeSync(descriptor);
  }
};

/** Of the first `bytes`, so that a file may grow. Of their first and last ones only: a change in the middle is not seen. */
export const fingerprintOf = (file: string, bytes: number): string =>
  createHash('sha256')
    .update(String(bytes))
    .update(readAt(file, 0, Math.min(edge, bytes)))
    .update(readAt(file, Math.max(0, bytes - edge), Math.min(edge, bytes)))
    .digest('hex');
