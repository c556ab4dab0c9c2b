/** Tokens for APNs: made of the key of the app, and good for an hour. */
import { createPrivateKey, sign } from 'node:crypto';
import { type KeptTokens, signedToken } from '../tokens.ts';

export interface AppleKey {
  /** The text of the .p8 file. */
  key: string;
  keyId: string;
  teamId: string;
}

/** APNs refuses tokens older than an hour, and new ones within 20 minutes. */
const keptMs = 40 * 60_000;

const readable = (key: string) => {
  try {
    return createPrivateKey(key);
  } catch {
    throw new Error('the key for APNs is not the text of a .p8 file');
  }
};

/** Throws when the key is none. */
export const appleToken = (
  tokens: KeptTokens,
  name: string,
  { key, keyId, teamId }: AppleKey,
  now: number,
): string => {
  const known = tokens.at(name, now);
  if (known !== undefined) return known;
  const options = { key: readable(key), dsaEncoding: 'ieee-p1363' } as const;
  const claims = { iss: teamId, iat: Math.floor(now / 1000) };
  const token = signedToken({ alg: 'ES256', kid: keyId }, claims, (text) => sign('sha256', text, options));
  tokens.keep(name, token, now + keptMs);
  return token;
};
