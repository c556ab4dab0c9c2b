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

/** So many at this rate, whatever comes back: none waits for the one before. */
export const steadily = async <Sent>(
  perSecond: number,
  count: number,
  send: (n: number) => Promise<Sent>,
): Promise<Sent[]> => {
  const pace = createPace(perSecond);
  const sent: Promise<Sent>[] = [];
  for (let n = 0; n < count; n++) {
    await pace();
    sent.push(send(n));
  }
  return Promise.all(sent);
};
