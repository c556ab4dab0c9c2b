/** SCIM tokens: `rs_<id>_<secret>_<checksum>`, good for one company and only together with the origin of the provisioner. */
import { hashSecret, type NewToken, type TokenRecord, tokensOf } from './key.ts';
import { type KeyUse, mayUse } from './may-use.ts';

export interface ScimTokenRecord extends TokenRecord {
  company: string;
  /** `X-Request-Origin` must be one of them. */
  origins: string[];
}

export interface NewScimToken extends NewToken {
  company: string;
  origins: string[];
}

/** The hash of a token is of another kind than that of a key: one can never stand in for the other. */
const tokens = tokensOf('rs', (pepper, secret) => hashSecret(pepper, `scim:${secret}`));

export const { parse: parseScimToken, verify: verifyScimToken } = tokens;

/** Scheme and host are the same in any letter case; a slash at the end says nothing. */
const normalizeOrigin = (origin: string): string => origin.trim().replace(/\/+$/, '').toLowerCase();

export const createScimToken = ({ company, origins, ...token }: NewScimToken) => {
  const { text, record } = tokens.create(token);
  const own = { company, origins: [...new Set(origins.map(normalizeOrigin))] };
  return { token: text, record: { ...record, ...own } satisfies ScimTokenRecord };
};

export interface ScimUse extends Omit<KeyUse, 'permission'> {
  origin: string | undefined;
}

/** As good as a key would be (`mayUse`), and from one of its origins: a missing origin is not allowed. */
export const mayUseScimToken = (record: ScimTokenRecord, { origin, ...use }: ScimUse): boolean =>
  mayUse(record, use) === 'ok' && origin !== undefined && record.origins.includes(normalizeOrigin(origin));
