/** Sends a push to an Apple device by APNs. */

import { createPrivateKey, sign } from 'node:crypto';
import { stringifyExact, withoutSecrets } from '@roster/contract';
import type { Credentials } from '../credentials.ts';
import type { Sessions } from '../http/sessions.ts';
import { afterMsIn, answerTo } from '../http/status.ts';
import { parsedJson } from '../json.ts';
import type { Kept } from '../kept.ts';
import { type Answer, type Outgoing, tooLarge } from '../outgoing.ts';
import type { Pauses } from '../pauses.ts';
import type { Proofs } from '../proofs.ts';
import { alone } from '../secrets.ts';
import { nameOf, signedToken } from '../tokens.ts';
import type { Notification } from './apple-message.ts';

/** Of a token, which is made of the key of the app: APNs refuses those older than an hour, and new ones within 20 minutes. */
const tokenMs = 40 * 60_000;

const readable = (key: string) => {
  try {
    return createPrivateKey(key);
  } catch {
    throw new Error('the key for APNs is not the text of a .p8 file');
  }
};

/** Throws when the key is none. */
const appleToken = (
  tokens: Kept<string>,
  name: string,
  { key, key_id, team_id }: Credentials['ios_push'],
  now: number,
): string => {
  const known = tokens.at(name, now);
  if (known !== undefined) return known;
  const options = { key: readable(key), dsaEncoding: 'ieee-p1363' } as const;
  const claims = { iss: team_id, iat: Math.floor(now / 1000) };
  const token = signedToken({ alg: 'ES256', kid: key_id }, claims, (text) => sign('sha256', text, options));
  tokens.keep(name, token, now + tokenMs);
  return token;
};

export interface AppleTools {
  sessions: Sessions;
  tokens: Kept<string>;
  /** Of a key when APNs counts too many tokens of it, and of a device when it counts too many pushes to it. */
  keyPauses: Pauses;
  devicePauses: Pauses;
  proofs: Proofs;
  timeoutMs?: number;
  now?(): number;
}

const usualUrl = 'https://api.push.apple.com';
const mostBytes = 4096;

const isDevice = (token: string): boolean => /^[0-9A-Fa-f]{32,200}$/.test(token);

const isSendable = (header: string): boolean => /^[\x20-\x7e]*$/.test(header);

const goneWords: ReadonlySet<string> = new Set(['Unregistered', 'ExpiredToken']);

/** A wrong bundle id makes every token one of another app. */
const mismatches: ReadonlySet<string> = new Set([
  'DeviceTokenNotForTopic',
  'BadTopic',
  'MissingTopic',
  'TopicDisallowed',
]);

/** The reason, and the moment (milliseconds since 1970) from which a device is known to be gone. */
const saidIn = (text: string): { word: string; since?: number } => {
  const { reason, timestamp } = (parsedJson(text) ?? {}) as { reason?: unknown; timestamp?: unknown };
  return {
    word: typeof reason === 'string' ? reason : '',
    ...(typeof timestamp === 'number' && { since: timestamp }),
  };
};

export const sendApple = async (
  { to: device, leave }: Pick<Outgoing, 'to' | 'leave'>,
  { headers, topic, payload }: Notification,
  credentials: Credentials['ios_push'],
  tools: AppleTools,
): Promise<Answer> => {
  const { sessions, tokens, keyPauses, devicePauses, proofs, timeoutMs, now = Date.now } = tools;
  const { url = usualUrl, key, key_id, team_id } = credentials;
  const name = nameOf([key, key_id, team_id]);
  const channel = `${url} ${name} ${credentials.topic}`;
  if (!isDevice(device))
    return {
      state: 'refused',
      reason: 'device_gone',
      words: 'the token is not one of an Apple device',
      gone: proofs.goneAt(channel, now),
    };
  if (!Object.values(headers).every(isSendable))
    return {
      state: 'refused',
      reason: 'message_invalid',
      words: 'collapse_id has characters that APNs does not take',
    };
  const body = stringifyExact(payload);
  if (Buffer.byteLength(body) > mostBytes) return tooLarge(mostBytes);
  const paused =
    keyPauses.answerFor(name, now(), 'APNs wants a pause of this key') ??
    devicePauses.answerFor(device, now(), 'APNs wants a pause of this device');
  if (paused) return paused;
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
    leave,
  });
  if ('state' in response) return response;
  const { word, ...moment } = saidIn(response.text);
  if (word === 'ExpiredProviderToken') tokens.drop(name, token);
  if (word === 'TooManyProviderTokenUpdates') keyPauses.begin(name, now());
  if (word === 'TooManyRequests') devicePauses.begin(device, now(), afterMsIn(response, now()));
  const [id] = [response.headers['apns-id']].flat();
  if (response.status === 200 || word === 'Unregistered') proofs.prove(channel, now());
  return answerTo(response, now(), {
    ...{ id, words: withoutSecrets(word, alone(token)), hasKeys: true, isMismatch: mismatches.has(word) },
    ...(goneWords.has(word) && { gone: moment }),
    // Also every token of another environment: production, or sandbox.
    ...(word === 'BadDeviceToken' && { gone: proofs.goneAt(channel, now) }),
  });
};
