/** Whether a failed attempt is followed by another one, and when: early returns, each with its reason. */
import type { CallOptions, Pause } from './call-options.ts';
import { RosterError } from './errors.ts';
import { mayBeDeadSocket } from './no-answer.ts';

const firstMs = 100;
const longestMs = 10_000;

/** Of the pauses that a rate limit asks of a batch, whatever it asks for. */
const longestPatienceMs = 300_000;

/** A pool rarely holds more, and a service that closes every connection is not asked forever. */
const mostSockets = 100;

/** Full jitter over a doubling range, after the pause that the service asks for. */
export const delayMs = (attempt: number, retryAfter: number | undefined, random: number): number =>
  (retryAfter ?? 0) * 1000 + random * Math.min(longestMs, firstMs * 2 ** Math.min(attempt, 20));

/** What the service says; else by the status. 408 is about the speed of the connection, and a 5xx of a proxy about the moment. */
const isPassing = ({ retry, status }: RosterError): boolean =>
  retry ?? (status < 300 || status === 408 || status === 429 || status >= 500);

/** The service, or the way to it, is away for the moment. */
export const isAway = (error: unknown): boolean =>
  error instanceof RosterError && error.status !== 429 && isPassing(error);

interface Failed {
  error: unknown;
  /** The first attempt is 1. */
  attempt: number;
  /** Until then a next attempt may begin; negative when the time is over. */
  leftMs: number;
  /** Sockets that the pool may hold: requests that were on their way at once. */
  sockets: number;
  /** Time that a rate limit asks for does not count. */
  isPatient: boolean;
  retryIf: CallOptions['retryIf'];
}

/** The pause before the next attempt, if there is one. Every write has its idempotency key, so that a repetition never counts twice. */
export const pauseAfter = ({
  error,
  attempt,
  leftMs,
  sockets,
  isPatient,
  retryIf,
}: Failed): Pause | undefined => {
  // The reason of a signal, or what a middleware has thrown.
  if (!(error instanceof RosterError)) return undefined;
  if (!isPassing(error) && !retryIf?.(error)) return undefined;
  const again = (ms: number): Pause => ({ error, ms });
  // The sockets of a function that was frozen are gone: as many tries, also where retries are off.
  if (mayBeDeadSocket(error) && attempt <= Math.min(sockets, mostSockets))
    return again(delayMs(1, 0, Math.random()));
  const ms = delayMs(attempt, error.retryAfter, Math.random());
  if (error.status === 0 && error.name === 'ConnectionError' && attempt === 1) return again(ms);
  if (error.status === 429 && isPatient) return again(Math.min(ms, longestPatienceMs));
  return ms > leftMs ? undefined : again(ms);
};
