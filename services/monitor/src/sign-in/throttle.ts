/** Bounds the tries per IP address and per name in a window of time; and never more than a few passwords checked at once: each costs 64 MB. */
import { createHash } from 'node:crypto';
import { ipv6Groups } from '@roster/runtime';
import { createCounts, most } from './tries.ts';

interface Try {
  ip: string;
  userName: string;
}

export interface Throttle {
  /** Whether one more try may be made; counts it. */
  mayTry(attempt: Try): boolean;
  /** The right password: the counted tries are forgotten. */
  forget(attempt: Try): void;
  begin(): boolean;
  end(): void;
}

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
