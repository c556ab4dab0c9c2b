/** A signal that ends with another one, or after a time. Unlike those of the platform it leaves nothing behind once it is freed. */
export const createDeadline = (signal: AbortSignal, ms: number) => {
  const own = new AbortController();
  const ended: AbortSignal = own.signal;
  let isLate = false;
  const abort = (): void => own.abort(signal.reason);
  const timer = setTimeout(() => {
    isLate = true;
    own.abort();
  }, ms);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return {
    signal: ended,
    /** Whether it was the time. */
    isLate: (): boolean => isLate,
    /** Time counts no more. */
    endTime: (): void => clearTimeout(timer),
    free(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    },
  };
};
