/** Whom bounds and limits count as one stranger. */
import { ipv6Groups } from '@roster/runtime';

/** An IP of version 4. Of version 6 the first four groups: one household has 2^64 of them. */
export const networkOf = (ip: string): string => {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '');
  return plain.includes(':') ? ipv6Groups(plain, 4).join(':') : plain;
};
