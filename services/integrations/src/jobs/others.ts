/** How much others have to do: the share of the last second in which requests of callers waited or were at work. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startLooking } from '@roster/batch';

const lookEveryMs = 200;
const looks = 5;

/** A request is under way for milliseconds: callers who send all the time are seen in a third of the looks at least. */
const full = 1 / 3;

/** When no sync has asked for so long, none runs, and nothing is looked at. */
const unaskedMs = 5_000;

export const watchOthers = (callersWait: () => Promise<boolean>, everyMs = lookEveryMs) => {
  const seen: boolean[] = [];
  let askedAt = Number.NEGATIVE_INFINITY;
  const looking = startLooking({
    async look() {
      if (performance.now() - askedAt > unaskedMs) seen.length = 0;
      // When Redis is away, nothing can be sent anyway.
      else seen.push(await callersWait().catch(() => false));
      if (seen.length > looks) seen.shift();
    },
    // `look` never fails.
    onError: () => {},
    everyMs,
  });
  return {
    /** From 0 to 1. */
    share(): number {
      askedAt = performance.now();
      return Math.min(1, seen.filter(Boolean).length / looks / full);
    },
    close: () => void looking.stop(),
  };
};

/** Requests of a sync on their way. */
const mostOpen = 8;

/** While others have work all the time, the syncs of a process together rest nine times as long as they work. */
const rest = { times: 9, mostMs: 3_000 };

/** In steps of so much work. */
const stepMs = 10;

/** The event loop of this process, which also answers: how long it has worked. */
const startWork = () => {
  const before = performance.eventLoopUtilization();
  return (): number => performance.eventLoopUtilization(before).active;
};

/** What reads rows rests after each step of work of this process, the longer the more others have to do. */
export const createReadingPace = (
  others: () => number,
  start = startWork,
  pause: (ms: number) => Promise<unknown> = sleep,
) => {
  let workedMs = start();
  return async (): Promise<void> => {
    const worked = workedMs();
    if (worked < stepMs) return;
    const share = others();
    if (share > 0) await pause(share * Math.min(rest.mostMs, rest.times * worked));
    workedMs = start();
  };
};

/** Fewer requests on their way, and pauses between them, the more others have to do. */
export const createPace = (others: () => number, syncs: () => number) => {
  let restedAt = performance.now();
  return {
    most: (): number => Math.max(1, Math.round(mostOpen * (1 - others()))),
    async rest(): Promise<void> {
      const worked = performance.now() - restedAt;
      const share = others();
      if (share > 0) await sleep(share * syncs() * Math.min(rest.mostMs, rest.times * worked));
      restedAt = performance.now();
    },
  };
};
