/** IP addresses as logs and bounds take them. */
import { isIP } from 'node:net';

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
