/** Signs a webhook by the rules of Standard Webhooks (standardwebhooks.com): its id, the time and the body. */
import { createHmac } from 'node:crypto';

const prefix = 'whsec_';

/** `whsec_` and base64, as receivers know it, or any other text as it stands. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : Buffer.from(secret);

export interface Signed {
  id: string;
  /** In milliseconds. */
  time: number;
  body: string;
}

export const signatureHeaders = (secret: string, { id, time, body }: Signed): Record<string, string> => {
  const seconds = String(Math.floor(time / 1000));
  const digest = createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${digest}` };
};
