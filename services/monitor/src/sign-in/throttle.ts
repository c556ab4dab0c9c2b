/** Bounds the tries per IP address and per name in a window of time; and never more than a few passwords checked at once: each costs 64 MB. */
import { createHash } from 'node:crypto';
import { householdOf } from '@roster/runtime';

const most = { tries: 10, remembered: 10_000, atOnce: 4 };
/** A hundred tries in an hour. */
const windowMs = 6 * 60_000;

interface Try {
  ip: string;
  userName: string;
}

/** A full table refuses unknown keys: forgetting a key would give its caller new tries. */
const createCounts = (now: () => number) => {
  const counts = new Map<string, { count: number; until: number }>();

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

/** A caller chooses the length of a name; its digest has a fixed one. */
const keyOfName = (userName: string): string =>
  createHash('sha256').update(userName.trim().normalize('NFC').toLowerCase()).digest('base64').slice(0, 22);

export const createThrottle = (now: () => number) => {
  const [ips, names] = [createCounts(now), createCounts(now)];
  let running = 0;

  return {
    /** Whether one more try may be made; counts it. What its IP may not try is not counted for the name: so one caller cannot fill the table of names. */
    mayTry: ({ ip, userName }: Try): boolean => ips.add(householdOf(ip)) && names.add(keyOfName(userName)),
    /** The right password: what was counted against these is forgotten. */
    forget: ({ ip, userName }: Try): void => {
      ips.forget(householdOf(ip));
      names.forget(keyOfName(userName));
    },
    begin: (): boolean => {
      if (running >= most.atOnce) return false;
      running += 1;
      return true;
    },
    end: (): void => {
      running -= 1;
    },
  };
};
