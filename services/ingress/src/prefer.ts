import type { IncomingHttpHeaders } from 'node:http';
import { Rejection } from '@roster/contract';

const longestWait = 30;

/** `Prefer: wait=5` (RFC 7240) in milliseconds; 0 when the caller does not want to wait. */
export const preferredWaitMs = ({ prefer }: IncomingHttpHeaders): number => {
  if (prefer === undefined) return 0;
  const text = Array.isArray(prefer) ? prefer.join(',') : prefer;
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})/i.exec(text)?.[1];
  return seconds === undefined ? 0 : Math.min(Number(seconds), longestWait) * 1000;
};

/** The caller's idempotency key, or undefined; anything but printable ASCII is refused. */
export const idempotencyKeyIn = (headers: IncomingHttpHeaders): string | undefined => {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw new Rejection('HEADER_INVALID', {
      message: 'Idempotency-Key must be 1 to 255 printable ASCII characters',
    });
  }
  return key;
};
