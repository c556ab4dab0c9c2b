/** Whether a key or token may be used: until when, from where, and for what. */
import { BlockList, isIP } from 'node:net';
import type { TokenRecord } from './key.ts';

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
const ipList = (ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges.filter(isIpRange)) {
    const [ip = '', prefix] = range.split('/');
    const kind = family(ip);
    if (prefix === undefined) list.addAddress(ip, kind);
    else list.addSubnet(ip, Number(prefix), kind);
  }
  return list;
};

const isListed = (list: BlockList, ip: string): boolean => {
  const kind = family(plain(ip));
  return kind !== undefined && list.check(plain(ip), kind);
};

export type KeyRefusal = 'expired' | 'revoked' | 'ip' | 'permission';
export interface KeyUse {
  /** Left out, the question is only whether the key is good here and now. */
  permission?: string;
  ip: string;
  /** Milliseconds since the epoch. */
  now: number;
}

/** What is worked out of a record once, not at each request. */
interface Terms {
  until: number;
  from: BlockList | undefined;
  may: ReadonlySet<string>;
}

/** A key; a token without permissions is good for what it is made for. */
type Usable = TokenRecord & { permissions?: readonly string[] };

const known = new WeakMap<Usable, Terms>();

const termsOf = (record: Usable): Terms => {
  let terms = known.get(record);
  if (!terms) {
    terms = {
      until: record.expires === undefined ? Number.POSITIVE_INFINITY : Date.parse(record.expires),
      from: record.ips?.length ? ipList(record.ips) : undefined,
      may: new Set(record.permissions),
    };
    known.set(record, terms);
  }
  return terms;
};

/** Deny by default: an unreadable expiry is over, an unreadable IP is not listed. */
export const mayUse = (record: Usable, { permission, ip, now }: KeyUse): 'ok' | KeyRefusal => {
  const { until, from, may } = termsOf(record);
  if (record.revoked !== undefined) return 'revoked';
  if (!(now < until)) return 'expired';
  if (from && !isListed(from, ip)) return 'ip';
  if (permission !== undefined && !may.has('*') && !may.has(permission)) return 'permission';
  return 'ok';
};
