/** Tokens for APNs: made of the key of the app, and good for an hour. */
import { createPrivateKey, sign } from 'node:crypto';
import type { Credentials } from '../credentials.ts';
import type { Kept } from '../kept.ts';
import { signedToken } from '../tokens.ts';

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
  tokens: Kept<string>,
  name: string,
  { key, key_id, team_id }: Credentials['ios_push'],
  now: number,
): string => {
  const known = tokens.at(name, now);
  if (known !== undefined) return known;
  const options = { key: readable(key), dsaEncoding: 'ieee-p1363' } as const;
  const claims = { iss: team_id, iat: Math.floor(now / 1000) };
  const token = signedToken({ alg: 'ES256', kid: key_id }, claims, (text) => sign('sha256', text, options));
  tokens.keep(name, token, now + keptMs);
  return token;
};
