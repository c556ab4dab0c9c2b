/** The window of a rate limit in this process. */
import type { Rate } from '@roster/access';

/** Where a workspace stands in its window; `reset` in epoch seconds. */
export interface Standing {
  ok: boolean;
  limit: number;
  remaining: number;
  reset: number;
}

export interface Window {
  /** Which window of the clock this is. */
  number: number;
  /** The requests that this process may still admit without asking Redis. */
  left: number;
  /** Given out in this window to all processes, as far as known. */
  given: number;
  /** The question to Redis that is under way, shared by all requests that wait for its answer. */
  asking?: Promise<void> | undefined;
}

export const standing = (window: Window, rate: Rate, ok: boolean): Standing => ({
  ok,
  limit: rate.requests,
  remaining: Math.max(0, rate.requests - window.given + window.left),
  reset: (window.number + 1) * rate.seconds,
});

export const use = (window: Window, rate: Rate, amount: number): Standing => {
  window.left -= amount;
  return standing(window, rate, true);
};
