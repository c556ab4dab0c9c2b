/** Whether a failed attempt is followed by another one, and when: early returns, each with its reason. */
import type { CallOptions } from './call-options.ts';
import { ConnectionError, RosterError, TimeoutError } from './errors.ts';

/** 408 is about the speed of the connection, not about the request. */
const passing: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

const firstMs = 100;
const longestMs = 10_000;

/** Full jitter over a doubling range, after the pause that the service asks for. */
export const delayMs = (attempt: number, retryAfter: number | undefined, random: number): number =>
  (retryAfter ?? 0) * 1000 + random * Math.min(longestMs, firstMs * 2 ** Math.min(attempt, 20));

export interface Failed {
  error: unknown;
  /** The first attempt is 1. */
  attempt: number;
  /** Until then a next attempt may begin; negative when the time is over. */
  leftMs: number;
  /** Time that a rate limit asks for does not count. */
  isPatient: boolean;
  retryIf?: CallOptions['retryIf'];
  /** From 0 to 1. */
  random: number;
}

export type Step =
  | {
      again: true;
      error: RosterError;
      ms: number;
      reason: 'closed socket' | 'rate limit' | 'no answer' | 'unavailable';
    }
  | { again: false; reason: 'not ours' | 'refused' | 'too late' };

/** Every write has its idempotency key, so that a repetition never counts twice. */
export const stepAfter = ({ error, attempt, leftMs, isPatient, retryIf, random }: Failed): Step => {
  // The reason of a signal, or what a middleware has thrown.
  if (!(error instanceof RosterError)) return { again: false, reason: 'not ours' };
  const hasAnswer = !(error instanceof ConnectionError);
  if (hasAnswer && !passing.has(error.status) && !retryIf?.(error))
    return { again: false, reason: 'refused' };
  const ms = delayMs(attempt, error.retryAfter, random);
  // The socket of a function that was frozen is gone: once more, also where retries are off.
  if (!hasAnswer && !(error instanceof TimeoutError) && attempt === 1)
    return { again: true, error, ms, reason: 'closed socket' };
  if (error.status === 429 && isPatient) return { again: true, error, ms, reason: 'rate limit' };
  if (ms > leftMs) return { again: false, reason: 'too late' };
  if (!hasAnswer) return { again: true, error, ms, reason: 'no answer' };
  return { again: true, error, ms, reason: error.status === 429 ? 'rate limit' : 'unavailable' };
};
