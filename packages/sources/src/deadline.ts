/** A signal that ends with another one, or after a time. Unlike those of the platform it leaves nothing behind once it is freed. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Whether it was the time. */
  isLate(): boolean;
  /** Time counts no more. */
  endTime(): void;
  free(): void;
}

export const createDeadline = (signal: AbortSignal, ms: number): Deadline => {
  const own = new AbortController();
  let isLate = false;
  const abort = (): void => own.abort(signal.reason);
  const timer = setTimeout(() => {
    isLate = true;
    own.abort();
  }, ms);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return {
    signal: own.signal,
    isLate: () => isLate,
    endTime: () => clearTimeout(timer),
    free() {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    },
  };
};
