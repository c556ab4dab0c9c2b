/** Secrets are kept as a keyed hash. */
import { createHmac, timingSafeEqual } from 'node:crypto';

export const hashSecret = (pepper: string, secret: string): string =>
  createHmac('sha256', pepper).update(secret).digest('hex');

const noHash = Buffer.alloc(32);

/** In constant time, and in the same time when there is nothing to compare with. */
export const hashesMatch = (known: string | undefined, hash: string): boolean => {
  const given = Buffer.from(hash, 'hex');
  const kept = known === undefined ? noHash : Buffer.from(known, 'hex');
  return kept.length === given.length && timingSafeEqual(kept, given) && known !== undefined;
};
