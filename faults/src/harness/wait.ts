import { setTimeout as sleep } from 'node:timers/promises';

export { sleep };

/** Far beyond what any machine needs: past it something stands still. */
const generousMs = 600_000;

/** How long a trial waits for what it judges. One that only counts must not fail because its machine is slow. */
export const patienceOf = ({ counting }: { counting: boolean }, usualMs: number): number =>
  counting ? generousMs : usualMs;

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

/** Again and again. Told to stop, it waits for the end of the last time. */
export const keepDoing = (work: () => Promise<unknown>, everyMs: number): (() => Promise<void>) => {
  let isOver = false;
  const doing = (async () => {
    for (; !isOver; await sleep(everyMs)) await work();
  })();
  return async () => {
    isOver = true;
    await doing;
  };
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

/** In lists of at most so many. */
export const inParts = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
