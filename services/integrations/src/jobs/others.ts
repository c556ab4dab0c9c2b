/** How much others have to do: the share of the last second in which requests of callers waited or were at work. */

const lookEveryMs = 200;
const looks = 5;

/** When no sync has asked for so long, none runs, and nothing is looked at. */
const unaskedMs = 5_000;

/** A request is under way for milliseconds: callers who send all the time are seen in a third of the looks at least. */
const full = 1 / 3;

export interface Others {
  /** From 0 to 1. */
  share(): number;
  close(): void;
}

export const watchOthers = (callersWait: () => Promise<boolean>): Others => {
  const seen: boolean[] = [];
  let looking = false;
  let askedAt = Number.NEGATIVE_INFINITY;

  const look = async (): Promise<void> => {
    if (performance.now() - askedAt > unaskedMs) seen.length = 0;
    else if (!looking) await see();
  };

  const see = async (): Promise<void> => {
    looking = true;
    // When Redis is away, nothing can be sent anyway.
    const found = await callersWait().catch(() => false);
    looking = false;
    seen.push(found);
    if (seen.length > looks) seen.shift();
  };

  const timer = setInterval(look, lookEveryMs);
  timer.unref();
  return {
    share() {
      askedAt = performance.now();
      return Math.min(1, seen.filter(Boolean).length / looks / full);
    },
    close: () => clearInterval(timer),
  };
};
