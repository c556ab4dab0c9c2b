/** A link with which a dashboard user chooses a password: good once, for an hour. It is kept among the sessions, as a hash that no session has. */
import { createHash, randomBytes } from 'node:crypto';

const goodMs = 3_600_000;

export const inviteId = (token: string): string =>
  createHash('sha256').update(`invite\n${token}`).digest('hex');

export const createInvite = (now: Date): { token: string; id: string; expires: Date } => {
  const token = randomBytes(32).toString('base64url');
  return { token, id: inviteId(token), expires: new Date(now.getTime() + goodMs) };
};
