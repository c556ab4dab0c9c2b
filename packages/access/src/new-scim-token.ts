/** Makes a SCIM token and its record. */
import { randomBytes } from 'node:crypto';
import { lifeOf } from './key.ts';
import { hashOf, normalizeOrigin, prefix, type ScimTokenRecord } from './scim-token.ts';
import { makeToken, type Random } from './token.ts';

export interface NewScimToken {
  company: string;
  name: string;
  origins: string[];
  ips?: string[] | undefined;
  expires?: string | undefined;
  pepper: string;
  now?: Date;
  random?: Random;
}

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
