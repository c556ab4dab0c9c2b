/** A token that a private key signs (RFC 7519), so that no other host has to be asked for one. */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { bad } from '../source-error.ts';

const lifeSeconds = 600;

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** `whose`: for the message. */
export const readKey = (pem: string, whose: string): KeyObject => {
  try {
    return createPrivateKey(pem);
  } catch {
    throw bad(`the private key of ${whose} is no key in PEM, or it has a passphrase`);
  }
};

export const signedToken = (key: KeyObject, claims: Readonly<Record<string, string>>): string => {
  const iat = Math.floor(Date.now() / 1000);
  const signed = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded({ ...claims, iat, exp: iat + lifeSeconds })}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
};
