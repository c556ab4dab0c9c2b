/** IP addresses as logs and bounds take them. */

import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddress from 'proxy-addr';

const groupsOf = (part: string): string[] => part.split(':').filter((group) => group !== '');

/** The first groups of an IPv6 address, with the zeros that `::` stands for. */
const ipv6Groups = (ip: string, count: number): string[] => {
  const [head = '', tail] = ip.split('::', 2);
  const [left, right] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array.from({ length: zeros }, () => '0'), ...right].slice(0, count);
};

/** Who counts as one stranger where something is bounded: an IP of version 4; of version 6 the first four groups, as one household has 2^64 of them. */
export const householdOf = (ip: string): string => {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '');
  return plain.includes(':') ? ipv6Groups(plain, 4).join(':') : plain;
};

/** The network of an IP address, for logs: enough to tell attackers apart, not enough to identify a person. */
export const networkOf = (ip: string | undefined): string | undefined => {
  const plain = ip?.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '') ?? '';
  if (isIP(plain) === 4) return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
  return isIP(plain) === 6 ? `${ipv6Groups(plain, 3).join(':')}::/48` : undefined;
};

/** Whether an IP address belongs to a trusted proxy; `hop` counts from the nearest. */
export type Trusts = (ip: string, hop: number) => boolean;

/** `trustedProxies`: IPs and ranges, with commas or spaces between them. */
export const trustsOf = (trustedProxies: string): Trusts =>
  proxyAddress.compile(trustedProxies.split(/[\s,]+/).filter((range) => range !== ''));

/**
 * The IP of the caller: the nearest one that is no trusted proxy, as Express has it in `request.ip`. It takes no request of Express, because
 * most requests never reach Express (docs/adr/ingress.md). The `X-Forwarded-For` of an untrusted caller is not parsed: 16 KB would cost 170 us.
 */
export const callerOf = (request: IncomingMessage, trusts: Trusts): string => {
  const nearest = request.socket.remoteAddress ?? '';
  return trusts(nearest, 0) ? proxyAddress(request, trusts) : nearest;
};
