/** A timer with more milliseconds fires at once. */
export const mostMs = 2 ** 31 - 1;

/** Rejected with the reason of the signal that ends the pause. */
export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, Math.min(ms, mostMs));
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
  });
