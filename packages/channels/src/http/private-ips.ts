/** IPs that lead into a network of one's own: a webhook of a stranger must not reach what stands there. */
import type { LookupAddress } from 'node:dns';
import { BlockList, isIPv6, type LookupFunction } from 'node:net';

const ranges: readonly (readonly [ip: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

const blocked = new BlockList();
for (const [ip, bits] of ranges) blocked.addSubnet(ip, bits, 'ipv4');

/** Of IPv6 only what is given out to the public, without the parts of it that lead back to IPv4 or are for documents. */
const open = new BlockList();
open.addSubnet('2000::', 3, 'ipv6');
for (const [ip, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  blocked.addSubnet(ip, bits, 'ipv6');

/** `::ffff:10.0.0.1` is 10.0.0.1: not within 2000::/3. */
export const isPrivate = (ip: string): boolean =>
  isIPv6(ip) ? !open.check(ip, 'ipv6') || blocked.check(ip, 'ipv6') : blocked.check(ip, 'ipv4');

/** The same for both: a stranger does not learn which names a private network has. */
export const noPublicHost = (host: string): string =>
  `the host ${host} was not found, or is in a private network`;

const addressesIn = (found: string | LookupAddress[]): string[] =>
  typeof found === 'string' ? [found] : found.map(({ address }) => address);

/** Judges the IPs that are really connected to: a name may lead to others a moment later. */
export const publicOnly =
  (lookup: LookupFunction): LookupFunction =>
  (host, options, callback) =>
    lookup(host, options, (error, found, family) => {
      if (error || addressesIn(found).some(isPrivate)) callback(new Error(noPublicHost(host)), '', 0);
      else callback(null, found, family);
    });
