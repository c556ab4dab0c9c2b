/** API keys: `rk_<id>_<secret>_<checksum>`. The checksum lets secret scanners and our own edge know one offline. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { knownSecrets, type Secrets } from '@roster/secrets';

/** What is kept of a key or token. The secret is not: only its keyed hash. */
export interface TokenRecord {
  id: string;
  name: string;
  /** HMAC-SHA-256 of the secret under the pepper, hex. The secret has 190 bits, so a slow hash would only slow us. */
  hash: string;
  /** IP addresses and CIDR ranges; without any, it may be used from everywhere. */
  ips?: string[];
  expires?: string;
  created: string;
  revoked?: string;
}

export interface KeyRecord extends TokenRecord {
  ws: string;
  permissions: string[];
}

export interface ParsedKey {
  id: string;
  secret: string;
}

type Random = (bytes: number) => Uint8Array;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const shape = /^([a-z]{2})_([0-9A-Za-z]{12})_([0-9A-Za-z]{32})_([0-9A-Za-z]{6})$/;

/** Bytes past the largest multiple of 62 are passed over, so that every letter is equally likely. */
const base62 = (length: number, random: Random): string => {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length)) if (byte < 248 && text.length < length) text += alphabet[byte % 62];
  }
  return text;
};

const checksum = (text: string): string => {
  let left = crc32(text);
  let digits = '';
  for (let place = 0; place < 6; place++) {
    digits = `${alphabet[left % 62]}${digits}`;
    left = Math.floor(left / 62);
  }
  return digits;
};

export const hashSecret = (pepper: string, secret: string): string =>
  createHmac('sha256', pepper).update(secret).digest('hex');

export interface NewToken {
  name: string;
  pepper: string;
  random?: Random;
  now?: Date | undefined;
  ips?: string[] | undefined;
  expires?: string | undefined;
}

export interface NewKey extends NewToken {
  ws: string;
  permissions: string[];
}

const noHash = Buffer.alloc(32);

/** In constant time, and in the same time when there is nothing to compare with. */
const hashesMatch = (known: string | undefined, hash: string): boolean => {
  const given = Buffer.from(hash, 'hex');
  const kept = known === undefined ? noHash : Buffer.from(known, 'hex');
  return kept.length === given.length && timingSafeEqual(kept, given) && known !== undefined;
};

/** Keys and tokens that begin with `kind`: how they are made, read and verified. */
export const tokensOf = (kind: string, hashOf = hashSecret) => ({
  /** The text `<kind>_<id>_<secret>_<checksum>` is to be shown once and forgotten; the record is to be kept. */
  create({ name, pepper, random = randomBytes, now = new Date(), ips, expires }: NewToken) {
    const id = base62(12, random);
    const secret = base62(32, random);
    const start = `${kind}_${id}_${secret}`;
    const record: TokenRecord = {
      id,
      name,
      hash: hashOf(pepper, secret),
      created: now.toISOString(),
      ...(ips?.length && { ips }),
      ...(expires && { expires: new Date(expires).toISOString() }),
    };
    return { text: `${start}_${checksum(start)}`, record };
  },
  /** Whether a text can be one of them at all, without asking anybody. */
  parse(text: string): ParsedKey | undefined {
    const [, found, id, secret, sum] = shape.exec(text) ?? [];
    if (found !== kind || !id || !secret || checksum(`${kind}_${id}_${secret}`) !== sum) return undefined;
    return { id, secret };
  },
  /** Takes the same time for one that is not known (`record` undefined) as for one with a wrong secret. */
  verify: (record: TokenRecord | undefined, { secret }: ParsedKey, peppers: Secrets): boolean =>
    knownSecrets(peppers)
      .map((pepper) => hashesMatch(record?.hash, hashOf(pepper, secret)))
      .includes(true),
});

const keys = tokensOf('rk');

export const { parse: parseKey, verify: verifyKey } = keys;

export const createKey = ({ ws, permissions, ...token }: NewKey): { key: string; record: KeyRecord } => {
  const { text, record } = keys.create(token);
  return { key: text, record: { ...record, ws, permissions } };
};

const bearer = /^bearer +(\S{1,100}) *$/i;

/** The text of the token in a header. */
export const bearerIn = (authorization = ''): string =>
  (authorization.length < 200 ? bearer.exec(authorization)?.[1] : undefined) ?? '';
