/** SCIM tokens: `rs_<id>_<secret>_<checksum>`, good for one company and only together with the origin of the provisioner. */
import { randomBytes } from 'node:crypto';
import { ipList, isListed } from './ip-list.ts';
import {
  hashesMatch,
  hashSecret,
  lifeOf,
  makeToken,
  type NewToken,
  type ParsedKey,
  parseToken,
  type TokenRecord,
} from './key.ts';

export interface ScimTokenRecord extends TokenRecord {
  company: string;
  /** `X-Request-Origin` must be one of them. */
  origins: string[];
}

export interface NewScimToken extends NewToken {
  company: string;
  origins: string[];
}

const prefix = 'rs';

/** The hash of a token is of another kind than that of a key: one can never stand in for the other. */
const hashOf = (pepper: string, secret: string): string => hashSecret(pepper, `scim:${secret}`);

/** Scheme and host are the same in any letter case; a slash at the end says nothing. */
const normalizeOrigin = (origin: string): string => origin.trim().replace(/\/+$/, '').toLowerCase();

/** The token is to be shown once and forgotten; the record is to be kept. */
export const createScimToken = ({
  pepper,
  random = randomBytes,
  origins,
  now,
  ips,
  expires,
  ...rest
}: NewScimToken) => {
  const { id, secret, text } = makeToken(prefix, random);
  const record: ScimTokenRecord = {
    ...rest,
    id,
    hash: hashOf(pepper, secret),
    origins: [...new Set(origins.map(normalizeOrigin))],
    ...lifeOf({ now, ips, expires }),
  };
  return { token: text, record };
};

export const parseScimToken = (text: string): ParsedKey | undefined => parseToken(prefix, text);

/** Takes the same time for a token that is not known as for one with a wrong secret. */
export const verifyScimToken = (
  record: ScimTokenRecord | undefined,
  { secret }: ParsedKey,
  pepper: string,
): boolean => hashesMatch(record?.hash, hashOf(pepper, secret));

export interface ScimUse {
  origin: string | undefined;
  ip: string;
  now: number;
}

/** Deny by default: an unreadable expiry is over, an unreadable IP is not listed, a missing origin is not allowed. */
export const mayUseScimToken = (record: ScimTokenRecord, { origin, ip, now }: ScimUse): boolean => {
  if (record.revoked !== undefined) return false;
  if (record.expires !== undefined && !(now < Date.parse(record.expires))) return false;
  if (record.ips?.length && !isListed(ipList(record.ips), ip)) return false;
  return origin !== undefined && record.origins.includes(normalizeOrigin(origin));
};
