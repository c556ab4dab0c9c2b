/** Whether a known key may be used, and the answers to callers that may not. */
import type { Granted } from './header-memory.ts';
import { mayUse, type Refusal } from './may-use.ts';

/** `UNAVAILABLE`: the key cannot be checked just now, which is 503 and never 401. */
type Denied = {
  ok: false;
  code: 'API_KEY_INVALID' | 'ACCESS_DENIED' | 'UNAVAILABLE';
  /** Of a real key that may not be used: which one and why. For the security log, never for the caller. */
  refused?: { key: string; ws: string; why: Refusal };
};

export type Access = Granted | Denied;

export const invalid: Denied = { ok: false, code: 'API_KEY_INVALID' };

const denied: Denied = { ok: false, code: 'ACCESS_DENIED' };

export const unavailable: Denied = { ok: false, code: 'UNAVAILABLE' };

/** IP address and expiry are checked at every request. They are not cached. */
export const admit = (granted: Granted, ip: string, now: number): Access => {
  const verdict = mayUse(granted.key, { ip, now });
  if (verdict === 'ok') return granted;
  const refused = { key: granted.key.id, ws: granted.settings.id, why: verdict };
  return { ...(verdict === 'ip' ? denied : invalid), refused };
};
