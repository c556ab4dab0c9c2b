/** Bounds the tries per IP address and per name in a window of time; and never more than a few passwords checked at once: each costs 64 MB. */
import { createHash } from 'node:crypto';
import { ipv6Groups } from '@roster/runtime';

const most = { tries: 10, remembered: 10_000, atOnce: 4 };
const windowMs = 5 * 60_000;

interface Try {
  ip: string;
  userName: string;
}

export interface Throttle {
  /** Whether one more try may be made; counts it. */
  mayTry(attempt: Try): boolean;
  /** The right password: what was counted against these is forgotten. */
  forget(attempt: Try): void;
  begin(): boolean;
  end(): void;
}

interface Counted {
  count: number;
  until: number;
}

/** A full table refuses unknown keys: forgetting a key would give its caller new tries. */
const createCounts = (now: () => number) => {
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

/** A caller with IPv6 has 2^64 addresses and more: those of one network count together. */
const networkOf = (ip: string): string =>
  ip.includes(':') && !ip.includes('.') ? ipv6Groups(ip, 4).join(':') : ip;

/** A caller chooses the length of a name; its digest has a fixed one. */
const keyOfName = (userName: string): string =>
  createHash('sha256').update(userName.trim().normalize('NFC').toLowerCase()).digest('base64').slice(0, 22);

export const createThrottle = (now: () => number): Throttle => {
  const [ips, names] = [createCounts(now), createCounts(now)];
  let running = 0;

  return {
    // A try that its IP may not make is not counted for the name: so one caller cannot fill the table of names.
    mayTry: ({ ip, userName }) => ips.add(networkOf(ip)) && names.add(keyOfName(userName)),
    forget: ({ ip, userName }) => {
      ips.forget(networkOf(ip));
      names.forget(keyOfName(userName));
    },
    begin: () => {
      if (running >= most.atOnce) return false;
      running += 1;
      return true;
    },
    end: () => {
      running -= 1;
    },
  };
};
