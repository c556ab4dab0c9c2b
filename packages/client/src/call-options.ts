import type { RosterError } from './errors.ts';

/** The time between a failed attempt and the next one. */
export interface Pause {
  error: RosterError;
  ms: number;
}

/** What one call may ask for. */
export interface CallOptions {
  /** Ends the call, its pauses too; the promise is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Seconds that one attempt may take. */
  timeout?: number | undefined;
  /** Seconds, from the first attempt on, in which a next one may begin. 0: no more than one, or two when the connection breaks. */
  retryFor?: number | undefined;
  /** Further answers after which to try again: `({ status }) => status >= 500`. */
  retryIf?: ((error: RosterError) => boolean) | undefined;
  /** Instead of the client's own pause: the next attempt begins when it resolves. When it rejects, the call does too, with the same reason. `signal` does not end it. */
  pause?: ((pause: Pause) => Promise<void>) | undefined;
  /** Seconds, at most 30: the answer comes after the request has taken effect, with what became of each entry. */
  wait?: number | undefined;
  /** Instead of a random one. Calls with the same key and body are one request. */
  idempotencyKey?: string | undefined;
  /** More headers, `if-match` for example. */
  headers?: Record<string, string | undefined> | undefined;
}

/** What a call sends, by its places. */
export interface Sent {
  /** Of the path, in their order. */
  params?: readonly string[];
  query?: Record<string, string | number | boolean | readonly string[]>;
  body?: unknown;
  /** A body that is text already. */
  json?: string;
}
