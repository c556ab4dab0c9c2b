/** How often one network, one link or one preference center may be used in a minute of the clock, in this process. The memory for it has a bound. */

export interface MinuteLimitOptions {
  perMinute: number;
  /** So many are counted apart in a minute; all others share one count. */
  mostKeys?: number;
  now?: () => number;
}

/** Together they get as much as so many. */
const othersShare = 50;

export const createMinuteLimit = ({ perMinute, mostKeys = 50_000, now = Date.now }: MinuteLimitOptions) => {
  let minute = 0;
  let counts = new Map<string, number>();
  let others = 0;

  return (key: string): boolean => {
    const current = Math.floor(now() / 60_000);
    if (current !== minute) [minute, counts, others] = [current, new Map(), 0];
    const count = counts.get(key);
    if (count === undefined && counts.size >= mostKeys) return ++others <= perMinute * othersShare;
    counts.set(key, (count ?? 0) + 1);
    return (count ?? 0) < perMinute;
  };
};

export type MinuteLimit = ReturnType<typeof createMinuteLimit>;
