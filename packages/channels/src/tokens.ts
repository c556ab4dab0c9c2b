/** Tokens by which an app proves to a provider who it is: signed (RFC 7519). */
import { createHash } from 'node:crypto';
import { remember } from '@roster/contract';

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export const signedToken = (head: object, claims: object, sign: (text: Buffer) => Buffer): string => {
  const text = `${encoded(head)}.${encoded(claims)}`;
  return `${text}.${sign(Buffer.from(text)).toString('base64url')}`;
};

/** A name of credentials that is made of all of them: who writes down the email or the id of another account shares nothing with it. */
export const nameOf = (credentials: readonly string[]): string => digestOf(JSON.stringify(credentials));

const digestOf = remember((text): string => createHash('sha256').update(text).digest('base64'), 1_000);
