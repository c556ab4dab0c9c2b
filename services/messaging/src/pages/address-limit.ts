/** How often one IP address may ask in a minute of the clock, in this process. What is kept for it has a bound. */
import { ipv6Groups } from '@roster/runtime';

export interface AddressLimitOptions {
  perMinute: number;
  /** So many addresses are told apart in a minute; all others share one count. */
  mostAddresses?: number;
  now?: () => number;
}

/** One household has 2^64 addresses of IPv6. */
const networkOf = (ip: string): string => {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '');
  return plain.includes(':') ? ipv6Groups(plain, 4).join(':') : plain;
};

/** Together they get as much as so many. */
const othersShare = 50;

export const createAddressLimit = ({
  perMinute,
  mostAddresses = 50_000,
  now = Date.now,
}: AddressLimitOptions) => {
  let minute = 0;
  let counts = new Map<string, number>();
  let others = 0;

  return (ip: string): boolean => {
    const current = Math.floor(now() / 60_000);
    if (current !== minute) [minute, counts, others] = [current, new Map(), 0];
    const network = networkOf(ip);
    const count = counts.get(network);
    if (count === undefined && counts.size >= mostAddresses) return ++others <= perMinute * othersShare;
    counts.set(network, (count ?? 0) + 1);
    return (count ?? 0) < perMinute;
  };
};

export type AddressLimit = ReturnType<typeof createAddressLimit>;
