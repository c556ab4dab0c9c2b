/** Tokens that are good once, for a while. They are kept among the sessions, as a hash that no session has, nor a token for anything else. */
import { createHash, randomBytes } from 'node:crypto';

export const oneTimeTokens = (purpose: string, goodMs: number) => {
  const idOf = (token: string): string => createHash('sha256').update(`${purpose}\n${token}`).digest('hex');
  return {
    idOf,
    create(now: Date): { token: string; id: string; expires: Date } {
      const token = randomBytes(32).toString('base64url');
      return { token, id: idOf(token), expires: new Date(now.getTime() + goodMs) };
    },
  };
};

/** Of the link with which a dashboard user chooses a password. */
export const { idOf: inviteId, create: createInvite } = oneTimeTokens('invite', 3_600_000);
