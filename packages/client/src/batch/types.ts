import type { Body } from '../calls.ts';
import type { ErrorCode } from '../errors.ts';
import type { AttributesOf, RosterTypes } from '../typed.ts';

export interface BatchOptions {
  /** Requests of at most 1,000 entries, 100 of one person; or of 50, for keys that may not send more at once. */
  operation?: 'users.track.bulk' | 'users.track' | undefined;
  /** Entries in a request. */
  maxEntries?: number | undefined;
  /** Bytes of the entries in a request; 1,000,000 unless said. */
  maxBytes?: number | undefined;
  /** Milliseconds that an entry waits for others; 20 unless said. */
  maxDelay?: number | undefined;
  /** Entries that may wait; 100,000 unless said. */
  maxWaiting?: number | undefined;
  /** Bytes of the entries that may wait; 32 MiB unless said. */
  maxWaitingBytes?: number | undefined;
  /** Seconds, at most 30: results come after the entries have taken effect. */
  wait?: number | undefined;
  /** Seconds in which a request is sent again; what the client says, unless said. Then all entries that wait fail with it. Time that a rate limit asks for does not count. */
  retryFor?: number | undefined;
}

/** About the person of the entry: new, there before, or nothing happened. */
export type EntryResult = 'created' | 'updated' | 'ignored' | 'refused';

/** What became of one entry. */
export type EntryOutcome =
  /** It is on disk and will take effect once. */
  | { state: 'accepted'; requestId: string | undefined }
  /** It took effect, or was ignored for a reason: only when the batch waits. */
  | { state: 'applied'; requestId: string | undefined; result: EntryResult; reason?: string | undefined }
  /** It is wrong: sent again as it is, it will be refused again. */
  | {
      state: 'refused';
      requestId: string | undefined;
      code: ErrorCode;
      field: string | undefined;
      message: string;
    }
  /** Its request was not accepted. After a `ConnectionError` or `UnavailableError` whether it was is not known. */
  | { state: 'failed'; error: unknown };

type EntryOf<List extends 'events' | 'purchases'> = NonNullable<Body<'users.track'>[List]>[number];

declare global {
  // For callers whose compiler does not know it yet.
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** Each promise is resolved with what became of the entry, and never rejected. After `close` an entry is a mistake: it throws. */
export interface Batch<Mine extends RosterTypes = RosterTypes> {
  attributes(entry: AttributesOf<Mine>): Promise<EntryOutcome>;
  event(entry: EntryOf<'events'>): Promise<EntryOutcome>;
  purchase(entry: EntryOf<'purchases'>): Promise<EntryOutcome>;
  /** Resolved when there is room for more. Without it, entries beyond the bounds fail with `BatchFullError`. */
  room(): Promise<void>;
  /** Sends what waits, and is resolved when all of it is settled. */
  flush(): Promise<void>;
  /** Flushes, and takes no more. After `timeout` seconds (30 unless said), entries that have no outcome yet fail with a `TimeoutError`. */
  close(options?: { timeout?: number | undefined }): Promise<void>;
  /** `await using batch = roster.batch()` closes it at the end of its block. */
  [Symbol.asyncDispose](): Promise<void>;
  /** What waits and is on its way. */
  readonly waiting: { readonly entries: number; readonly bytes: number };
}
