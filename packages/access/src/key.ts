/** API keys: `rk_<id>_<secret>_<checksum>`. The checksum lets secret scanners and our own edge know one offline. */
import { randomBytes } from 'node:crypto';
import { hashesMatch, hashSecret } from './secret-hash.ts';
import { makeToken, type ParsedKey, parseToken, type Random } from './token.ts';

/** The stored record of a key. It holds a keyed hash of the secret, not the secret. */
export interface KeyRecord {
  id: string;
  ws: string;
  name: string;
  /** HMAC-SHA-256 of the secret under the pepper, hex. The secret has 190 bits, so a slow hash would only slow us. */
  hash: string;
  permissions: string[];
  /** IP addresses and CIDR ranges; without any, the key may be used from everywhere. */
  ips?: string[];
  expires?: string;
  created: string;
  revoked?: string;
}
const prefix = 'rk';

export interface NewKey {
  ws: string;
  name: string;
  permissions: string[];
  ips?: string[] | undefined;
  expires?: string | undefined;
  pepper: string;
  now?: Date;
  random?: Random;
}

interface Life {
  now?: Date | undefined;
  ips?: string[] | undefined;
  expires?: string | undefined;
}

/** As a record has it: since when, from where and until when. */
export const lifeOf = ({ now = new Date(), ips, expires }: Life) => ({
  created: now.toISOString(),
  ...(ips?.length && { ips }),
  ...(expires && { expires: new Date(expires).toISOString() }),
});

/** The key is to be shown once and forgotten; the record is to be kept. */
export const createKey = ({ pepper, random = randomBytes, ips, expires, now, ...rest }: NewKey) => {
  const { id, secret, text } = makeToken(prefix, random);
  const hash = hashSecret(pepper, secret);
  const record: KeyRecord = { ...rest, id, hash, ...lifeOf({ now, ips, expires }) };
  return { key: text, record };
};

export const parseKey = (text: string): ParsedKey | undefined => parseToken(prefix, text);

/** Takes the same time for a key that is not known (`record` undefined) as for one with a wrong secret. */
export const verifyKey = (record: KeyRecord | undefined, parsed: ParsedKey, pepper: string): boolean =>
  hashesMatch(record?.hash, hashSecret(pepper, parsed.secret));
