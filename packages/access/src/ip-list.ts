/** IP allow-lists: single IP addresses and CIDR ranges, IPv4 and IPv6. */
import { BlockList, isIP } from 'node:net';

/** A dual-stack socket shows an IPv4 peer as `::ffff:10.0.0.1`. */
const plain = (ip: string): string => (ip.startsWith('::ffff:') && ip.includes('.') ? ip.slice(7) : ip);

const family = (ip: string): 'ipv4' | 'ipv6' | undefined => {
  const version = isIP(ip);
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
};

const isPrefix = (text: string | undefined, most: number): boolean =>
  text === undefined || (/^\d{1,3}$/.test(text) && Number(text) <= most);

/** Whether a text is an IP address or a range that an allow-list can hold. */
export const isIpRange = (text: string): boolean => {
  const [ip = '', prefix, ...more] = text.split('/');
  const kind = family(ip);
  return more.length === 0 && kind !== undefined && isPrefix(prefix, kind === 'ipv4' ? 32 : 128);
};

/** Malformed ranges are left out: they allow no IP. */
export const ipList = (ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges.filter(isIpRange)) {
    const [ip = '', prefix] = range.split('/');
    const kind = family(ip);
    if (prefix === undefined) list.addAddress(ip, kind);
    else list.addSubnet(ip, Number(prefix), kind);
  }
  return list;
};

export const isListed = (list: BlockList, ip: string): boolean => {
  const kind = family(plain(ip));
  return kind !== undefined && list.check(plain(ip), kind);
};
