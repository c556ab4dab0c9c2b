/** Sends a push to an Apple device by APNs. */
import type { Answer } from '../answer.ts';
import type { HttpResponse } from '../http/exchange.ts';
import { afterMsIn } from '../http/status.ts';
import { parsedJson } from '../json.ts';
import { type KeptTokens, nameOf } from '../tokens.ts';
import type { Notification } from './apple-message.ts';
import type { Lost, Sessions } from './sessions.ts';
import { type AppleKey, appleToken } from './token.ts';

export interface AppleCredentials extends AppleKey {
  /** The bundle id of the app. */
  topic: string;
  /** Another server than that for apps from the store, as the sandbox. */
  url?: string;
}

export interface AppleTools {
  sessions: Sessions;
  tokens: KeptTokens;
  timeoutMs?: number;
  now?(): number;
}

const usualUrl = 'https://api.push.apple.com';
const usualTimeoutMs = 10_000;
const mostBytes = 4096;

const isDevice = (token: string): boolean => /^[0-9A-Fa-f]{32,200}$/.test(token);

const isSendable = (header: string): boolean => /^[\x20-\x7e]*$/.test(header);

/** The device is gone, or the token never was one of the app. */
const gone: ReadonlySet<string> = new Set([
  'BadDeviceToken',
  'DeviceTokenNotForTopic',
  'Unregistered',
  'ExpiredToken',
]);

const reasonIn = (text: string): string => {
  const { reason } = (parsedJson(text) ?? {}) as { reason?: unknown };
  return typeof reason === 'string' ? reason.slice(0, 100) : '';
};

const lostAnswer = ({ lost, reason }: Lost): Answer => ({
  state: lost === 'unknown' ? 'unknown' : 'later',
  reason,
});

/** 403 is about the credentials, which may be corrected, and 429 about the moment. */
const mayPass = (status: number): boolean => status === 403 || status === 429 || status >= 500;

const answerOf = (response: HttpResponse, now: number): Answer => {
  const { status, headers, text } = response;
  const id = headers['apns-id'];
  if (status === 200) return { state: 'sent', ...(typeof id === 'string' && { id }) };
  const word = reasonIn(text);
  const reason = `APNs answered ${status}${word === '' ? '' : `: ${word}`}`;
  if (!mayPass(status)) return { state: 'refused', reason, ...(gone.has(word) && { gone: true }) };
  const afterMs = afterMsIn(response, now);
  return { state: 'later', reason, ...(afterMs !== undefined && { afterMs }) };
};

export const sendApple = async (
  device: string,
  { headers, topic = '', payload }: Notification,
  credentials: AppleCredentials,
  { sessions, tokens, timeoutMs = usualTimeoutMs, now = Date.now }: AppleTools,
): Promise<Answer> => {
  if (!isDevice(device))
    return { state: 'refused', reason: 'the token is not one of an Apple device', gone: true };
  if (!Object.values(headers).every(isSendable))
    return { state: 'refused', reason: 'collapse_id has characters that cannot be sent' };
  const body = JSON.stringify(payload);
  if (Buffer.byteLength(body) > mostBytes)
    return { state: 'refused', reason: `the push is larger than ${mostBytes} bytes` };
  const { url = usualUrl, key, keyId, teamId } = credentials;
  const name = nameOf([key, keyId, teamId]);
  const token = appleToken(tokens, name, credentials, now());
  const response = await sessions.request(`${url} ${name}`, url, {
    headers: {
      ':method': 'POST',
      ':path': `/3/device/${device}`,
      ...headers,
      authorization: `bearer ${token}`,
      'apns-topic': `${credentials.topic}${topic}`,
      'content-type': 'application/json',
    },
    body,
    timeoutMs,
  });
  if ('lost' in response) return lostAnswer(response);
  if (reasonIn(response.text) === 'ExpiredProviderToken') tokens.drop(name, token);
  return answerOf(response, now());
};
