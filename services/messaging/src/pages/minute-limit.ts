/** How often one IP, or one link, may be used in a minute of the clock, in this process. The memory for it has a bound. */
import { ipv6Groups } from '@roster/runtime';

export interface MinuteLimitOptions {
  perMinute: number;
  /** So many are counted apart in a minute; all others share one count. */
  mostKeys?: number;
  now?: () => number;
}

/** One household has 2^64 IPs of version 6. */
const networkOf = (ip: string): string => {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '');
  return plain.includes(':') ? ipv6Groups(plain, 4).join(':') : plain;
};

/** Together they get as much as so many. */
const othersShare = 50;

export const createMinuteLimit = ({ perMinute, mostKeys = 50_000, now = Date.now }: MinuteLimitOptions) => {
  let minute = 0;
  let counts = new Map<string, number>();
  let others = 0;

  return (ip: string): boolean => {
    const current = Math.floor(now() / 60_000);
    if (current !== minute) [minute, counts, others] = [current, new Map(), 0];
    const network = networkOf(ip);
    const count = counts.get(network);
    if (count === undefined && counts.size >= mostKeys) return ++others <= perMinute * othersShare;
    counts.set(network, (count ?? 0) + 1);
    return (count ?? 0) < perMinute;
  };
};

export type MinuteLimit = ReturnType<typeof createMinuteLimit>;
