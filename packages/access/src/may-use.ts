import type { BlockList } from 'node:net';
import { ipList, isListed } from './ip-list.ts';
import type { TokenRecord } from './key.ts';

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
