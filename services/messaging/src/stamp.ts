/** What answers show of stamps and ids. */
import { createHash } from 'node:crypto';
import { stampToDate } from '@roster/queue';

export const timeOf = (stamp: number): string => stampToDate(stamp).toISOString();

/** Made from the request that creates the thing, so that a repeated job makes the same one. */
export const idFrom = (kind: string, requestId: string): string => {
  const hex = createHash('sha256').update(`${kind}\n${requestId}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
};
