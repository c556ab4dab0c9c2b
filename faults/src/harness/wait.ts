import { setTimeout as sleep } from 'node:timers/promises';

export { sleep };

/** Asks until the answer is yes, and gives the milliseconds it took; undefined when it took longer than allowed. */
export const until = async (
  ms: number,
  isSo: () => Promise<boolean>,
  everyMs = 50,
): Promise<number | undefined> => {
  const began = performance.now();
  while (performance.now() - began < ms) {
    if (await isSo().catch(() => false)) return performance.now() - began;
    await sleep(everyMs);
  }
  return undefined;
};

/** Ends a promise that might never settle by itself. */
export const within = async <T>(ms: number, what: string, work: Promise<T>): Promise<T> => {
  const over = new AbortController();
  const late = sleep(ms, undefined, { signal: over.signal }).then(() => {
    throw new Error(`${what} took longer than ${ms / 1_000} s`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
    late.catch(() => {});
  }
};

/** Does the work with so many hands at once. */
export const eachOf = async <T>(
  items: readonly T[],
  hands: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const rest = items.values();
  const hand = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: hands }, hand));
};
