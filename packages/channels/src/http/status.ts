/** What the status of an answer means. */
import { present, type SendReasonCode, sendReason } from '@roster/contract';
import type { Answer, Gone } from '../outgoing.ts';
import type { HttpResponse } from './exchange.ts';

/** `Retry-After` in seconds or as a date. */
export const afterMsIn = (
  { headers: { 'retry-after': after } }: Pick<HttpResponse, 'headers'>,
  now: number,
): number | undefined => {
  if (after === undefined) return undefined;
  const ms = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
};

const passing: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** What an answer says besides. */
interface Said {
  /** Of a message that was taken over. */
  id?: string | undefined;
  words?: string | undefined;
  /** 401 and 403 are about the credentials, which may be corrected: the message is not at fault. */
  hasKeys?: boolean;
  /** It says so by another status. */
  refusesKeys?: boolean;
  /** Of a message that will never be taken: its device. */
  gone?: Gone;
  /** The token is of another app, or the channel is set up for one. */
  isMismatch?: boolean;
  /** Of a provider that says it by another status than 429. */
  isLimited?: boolean;
  isOptedOut?: boolean;
}

const codeOf = ({ status, headers }: HttpResponse, said: Said): SendReasonCode => {
  const { hasKeys, refusesKeys, gone, isMismatch, isLimited } = said;
  if (status < 400) return headers.location === undefined ? 'provider_refused' : 'redirected';
  if (isMismatch) return 'channel_mismatch';
  if (refusesKeys || (hasKeys && (status === 401 || status === 403))) return 'credentials_refused';
  if (hasKeys && status === 413) return 'message_too_large';
  if (status === 429 || isLimited) return 'rate_limited';
  if (status >= 500 || passing.has(status)) return 'provider_unavailable';
  return gone ? 'device_gone' : 'provider_refused';
};

const waits: ReadonlySet<SendReasonCode> = new Set([
  'credentials_refused',
  'rate_limited',
  'provider_unavailable',
]);

export const answerTo = (response: HttpResponse, now: number, said: Said = {}): Answer => {
  const { status } = response;
  const { id, words, gone } = said;
  if (status >= 200 && status < 300) return { state: 'sent', ...present({ id }) };
  const code = codeOf(response, said);
  const why = { reason: sendReason(code, status), ...present({ words: words || undefined }) };
  if (!waits.has(code))
    return { state: 'refused', ...why, ...present({ gone }), ...(said.isOptedOut && { isOptedOut: true }) };
  const afterMs = code === 'credentials_refused' ? undefined : afterMsIn(response, now);
  return { state: 'later', ...why, ...present({ afterMs }) };
};
