import { type KeyObject, type VerifyKeyObjectInput, verify } from 'node:crypto';

/** What a token says (RFC 7519) that the key has signed, its head included; nothing of one that it has not. */
export const tokenIn = (token: string, key: KeyObject | VerifyKeyObjectInput) => {
  const [head = '', claims = '', signature = ''] = token.split('.');
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url')))
    return undefined;
  const [first, second] = [head, claims].map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
  return { ...first, ...second };
};
