/** How long to wait before the next attempt: full jitter over a doubling range, after what the service asked for. */
const firstMs = 100;
const longestMs = 10_000;

/** `attempt` failed; the first is 1. `random` is from 0 to 1. */
export const delayMs = (attempt: number, retryAfter: number | undefined, random: number): number =>
  (retryAfter ?? 0) * 1000 + random * Math.min(longestMs, firstMs * 2 ** Math.min(attempt, 20));

/** A timer with more milliseconds fires at once. */
const mostMs = 2 ** 31 - 1;

/** Rejected with the reason of the first of these signals that ends the pause. */
export const pause = (ms: number, signals: readonly (AbortSignal | undefined)[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      for (const signal of signals) signal?.removeEventListener('abort', end);
      const ended = signals.find((signal) => signal?.aborted);
      if (ended) reject(ended.reason);
      else resolve();
    };
    const timer = setTimeout(end, Math.min(ms, mostMs));
    for (const signal of signals) signal?.addEventListener('abort', end, { once: true });
    if (signals.some((signal) => signal?.aborted)) end();
  });
