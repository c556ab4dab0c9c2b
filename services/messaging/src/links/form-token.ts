/**
 * Each form that is rendered has a token of its own in its URL: whatever becomes of that form (sent twice, reloaded, sent again by the
 * back button), it is one submission. It holds for a while only, shorter than idempotency keys are remembered.
 */
import { randomBytes } from 'node:crypto';
import { createSigned } from '@roster/channels';
import type { Secrets } from '@roster/secrets';

/** So long a form may stay open. */
export const formSeconds = 12 * 3600;

/** Longer than a form may stay open: a repetition always finds its first attempt. */
export const rememberedHours = 24;

const purpose = 'roster page form 2';

export const createFormTokens = (secrets: Secrets, now: () => number = Date.now) => {
  const signedFor = (link: string) => createSigned(secrets, `${purpose}\n${link}`, now);
  return {
    /** For a form on the page of this link. */
    make: (link: string): string =>
      signedFor(link).sign([Math.floor(now() / 1000), randomBytes(12).toString('base64url')]),

    check(link: string, token: string): 'good' | 'expired' | 'wrong' {
      const read = signedFor(link).read(token);
      if (read === undefined) return 'wrong';
      const [made] = read as [number, string];
      return now() / 1000 - made < formSeconds ? 'good' : 'expired';
    },
  };
};

export type FormTokens = ReturnType<typeof createFormTokens>;
