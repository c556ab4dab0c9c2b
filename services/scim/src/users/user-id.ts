import { createHash } from 'node:crypto';

/** Made from the request that creates the user, so that a repeated job makes the same one: `dfa245b7-24195aec-887bb3ad-602b3340`. */
export const userIdOf = (requestId: string): string => {
  const hex = createHash('sha256').update(`dashboard user\n${requestId}`).digest('hex');
  return [0, 8, 16, 24].map((from) => hex.slice(from, from + 8)).join('-');
};
