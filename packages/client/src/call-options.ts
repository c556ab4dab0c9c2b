import type { RosterError } from './errors.ts';

/** The time between a failed attempt and the next one. */
export interface Pause {
  /** Of the attempt that failed; `attempts` counts them. */
  error: RosterError;
  ms: number;
}

/** What one call may ask for. */
export interface CallOptions {
  /** Ends the call, its pauses too; the promise is rejected with the signal's reason. */
  signal?: AbortSignal;
  /** Ends the pauses alone, as `signal` does: an attempt on its way is still answered. */
  pauseSignal?: AbortSignal;
  /** Called before each pause. What it throws ends the call. */
  onPause?: (pause: Pause) => void;
  /** Seconds that one attempt may take. */
  timeout?: number;
  /** Seconds, from the first attempt on, in which a next one may begin. 0: one attempt. */
  retryFor?: number;
  /** Seconds, at most 30: the answer comes after the request has taken effect, with what became of each entry. */
  wait?: number;
  /** Instead of a random one. Calls with the same key and body are one request. */
  idempotencyKey?: string;
  /** More headers, `if-match` for example. */
  headers?: Record<string, string>;
}
