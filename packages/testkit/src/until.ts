/** Waiting for an event. The ceiling is for a test that hangs: no machine is so slow. */
import { setTimeout as sleep } from 'node:timers/promises';

const ceilingMs = 60_000;
const everyMs = 5;

/** Looks until there is something, and gives it. */
export const until = async <Found>(
  look: () => Found | Promise<Found>,
): Promise<Exclude<Found, undefined | null | false>> => {
  for (const end = performance.now() + ceilingMs; performance.now() < end; await sleep(everyMs)) {
    const found = await look();
    if (found) return found as Exclude<Found, undefined | null | false>;
  }
  throw new Error(`it has not happened within ${ceilingMs / 1000} s: ${look}`);
};
