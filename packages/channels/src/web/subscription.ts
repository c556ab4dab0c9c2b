/** Where a browser takes pushes: the token that its page has sent, which is nobody's word but a stranger's. */
import { ECDH } from 'node:crypto';
import { parsedJson } from '../json.ts';

export interface Subscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

const mostBytes = 4096;

const bytesIn = (value: unknown): number =>
  typeof value === 'string' && /^[A-Za-z0-9_-]+={0,2}$/.test(value)
    ? Buffer.from(value, 'base64url').length
    : 0;

/** Whether it is a point of the curve: anything else cannot be encrypted for. */
const isKey = (text: unknown): text is string => {
  if (bytesIn(text) !== 65) return false;
  try {
    ECDH.convertKey(String(text), 'prime256v1', 'base64url', 'hex', 'compressed');
    return true;
  } catch {
    return false;
  }
};

/** The JSON text of a `PushSubscription`; `undefined` when it is none. */
export const subscriptionIn = (token: string): Subscription | undefined => {
  if (Buffer.byteLength(token) > mostBytes) return undefined;
  const { endpoint, keys } = (parsedJson(token) ?? {}) as Partial<Record<'endpoint' | 'keys', unknown>>;
  const { p256dh, auth } = (keys ?? {}) as Partial<Record<'p256dh' | 'auth', unknown>>;
  if (typeof endpoint !== 'string' || !/^https?:/.test(endpoint) || !URL.canParse(endpoint)) return undefined;
  if (!isKey(p256dh) || bytesIn(auth) !== 16) return undefined;
  return { endpoint, keys: { p256dh, auth: String(auth) } };
};
