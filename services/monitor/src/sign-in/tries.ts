/** Counts the tries of the last window. */

export const most = { tries: 10, remembered: 10_000, atOnce: 4 };
const windowMs = 5 * 60_000;

interface Counted {
  count: number;
  until: number;
}

/** A full table refuses unknown keys: forgetting a key would give its caller new tries. */
export const createCounts = (now: () => number) => {
  const counts = new Map<string, Counted>();

  /** All windows are equally long, so the first ones to come are the first ones to be over. */
  const dropOver = (): void => {
    for (const [key, { until }] of counts) {
      if (until > now()) return;
      counts.delete(key);
    }
  };

  return {
    add(key: string): boolean {
      dropOver();
      const known = counts.get(key);
      if (!known && counts.size >= most.remembered) return false;
      const entry = known ?? { count: 0, until: now() + windowMs };
      entry.count += 1;
      counts.set(key, entry);
      return entry.count <= most.tries;
    },
    forget: (key: string): boolean => counts.delete(key),
  };
};
