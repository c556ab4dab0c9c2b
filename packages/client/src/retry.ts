/** Whether a failed attempt is followed by another one, and when: early returns, each with its reason. */
import type { CallOptions, Pause } from './call-options.ts';
import { ConnectionError, RosterError, TimeoutError } from './errors.ts';

/** 408 is about the speed of the connection, not about the request. */
const passing: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

const firstMs = 100;
const longestMs = 10_000;

/** Full jitter over a doubling range, after the pause that the service asks for. */
export const delayMs = (attempt: number, retryAfter: number | undefined, random: number): number =>
  (retryAfter ?? 0) * 1000 + random * Math.min(longestMs, firstMs * 2 ** Math.min(attempt, 20));

interface Failed {
  error: unknown;
  /** The first attempt is 1. */
  attempt: number;
  /** Until then a next attempt may begin; negative when the time is over. */
  leftMs: number;
  /** Time that a rate limit asks for does not count. */
  isPatient: boolean;
  retryIf: CallOptions['retryIf'];
}

/** The pause before the next attempt, if there is one. Every write has its idempotency key, so that a repetition never counts twice. */
export const pauseAfter = ({ error, attempt, leftMs, isPatient, retryIf }: Failed): Pause | undefined => {
  // The reason of a signal, or what a middleware has thrown.
  if (!(error instanceof RosterError)) return undefined;
  const hasAnswer = !(error instanceof ConnectionError);
  if (hasAnswer && !passing.has(error.status) && !retryIf?.(error)) return undefined;
  const pause = { error, ms: delayMs(attempt, error.retryAfter, Math.random()) };
  // The socket of a function that was frozen is gone: once more, also where retries are off.
  if (!hasAnswer && !(error instanceof TimeoutError) && attempt === 1) return pause;
  if (error.status === 429 && isPatient) return pause;
  return pause.ms > leftMs ? undefined : pause;
};
