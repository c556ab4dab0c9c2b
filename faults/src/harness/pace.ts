import { sleep } from './wait.ts';

/** Lets through so many a second, evenly: load that lasts as long as the trouble does. */
export const createPace = (perSecond: number): (() => Promise<void>) => {
  let next = performance.now();
  return async () => {
    const now = performance.now();
    next = Math.max(next, now) + 1_000 / perSecond;
    await sleep(Math.max(0, next - now));
  };
};
