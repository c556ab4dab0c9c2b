/**
 * Each form that is rendered has a token of its own in its URL: whatever becomes of that form (sent twice, reloaded, sent again by the
 * back button), it is one submission. It holds for a while only, shorter than idempotency keys are remembered.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** So long a form may stay open. */
export const formSeconds = 12 * 3600;

/** Longer than a form may stay open: a repetition always finds its first attempt. */
export const rememberedHours = 24;

const purpose = 'roster page form 1';

const signatureOf = (secret: string, link: string, made: string, dice: string): string =>
  createHmac('sha256', secret)
    .update(`${purpose}\n${link}\n${made}\n${dice}`)
    .digest('base64url')
    .slice(0, 32);

const isEqual = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

export const createFormTokens = (secret: string, now: () => number = Date.now) => ({
  /** For a form on the page of this link. */
  make(link: string): string {
    const made = Math.floor(now() / 1000).toString(36);
    const dice = randomBytes(12).toString('base64url');
    return `${made}.${dice}.${signatureOf(secret, link, made, dice)}`;
  },

  check(link: string, token: string): 'good' | 'expired' | 'wrong' {
    const [, made, dice, signature] = /^([0-9a-z]{1,8})\.([\w-]{16})\.([\w-]{32})$/.exec(token) ?? [];
    if (made === undefined || dice === undefined || signature === undefined) return 'wrong';
    if (!isEqual(signature, signatureOf(secret, link, made, dice))) return 'wrong';
    return now() / 1000 - Number.parseInt(made, 36) < formSeconds ? 'good' : 'expired';
  },
});

export type FormTokens = ReturnType<typeof createFormTokens>;
