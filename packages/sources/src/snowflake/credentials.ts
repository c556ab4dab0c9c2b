/** What each request shows: a token that the key of the user signs, or a programmatic access token. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { SnowflakeSettings } from '../settings.ts';
import { SourceError } from '../source-error.ts';

export type Authorize = () => Readonly<Record<string, string>>;

const lifeSeconds = 600;

const bad = (message: string): SourceError => new SourceError('bad_settings', message);

const readKey = (pem: string): KeyObject => {
  try {
    return createPrivateKey(pem);
  } catch {
    throw bad('the private key of Snowflake is no key in PEM, or it has a passphrase');
  }
};

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const fingerprint = (key: KeyObject): string => {
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return `SHA256:${createHash('sha256').update(spki).digest('base64')}`;
};

/** https://docs.snowflake.com/en/developer-guide/sql-api/authenticating */
const signedBy = (key: KeyObject, account: string, user: string): (() => string) => {
  const subject = `${account.replaceAll('.', '-')}.${user}`.toUpperCase();
  const issuer = `${subject}.${fingerprint(key)}`;
  return () => {
    const iat = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, sub: subject, iat, exp: iat + lifeSeconds };
    const signed = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded(claims)}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
  };
};

const headersOf = (type: string, token: string) => ({
  authorization: `Bearer ${token}`,
  'x-snowflake-authorization-token-type': type,
});

export const authorizeBy = ({ privateKey, token, account, user }: SnowflakeSettings): Authorize => {
  if ((privateKey === undefined) === (token === undefined))
    throw bad('a connection of Snowflake has a private_key or a token: one of the two');
  if (token !== undefined) return () => headersOf('PROGRAMMATIC_ACCESS_TOKEN', token.trim());
  const signed = signedBy(readKey(privateKey ?? ''), account, user);
  return () => headersOf('KEYPAIR_JWT', signed());
};
