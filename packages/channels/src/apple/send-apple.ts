/** Sends a push by APNs: to an Apple device, or to all that listen to a broadcast channel. */

import { createPrivateKey, sign } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http2';
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
export const appleToken = (
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

export const usualUrl = 'https://api.push.apple.com';

/** A way into APNs. */
interface Route {
  /** What it leads to, for words. */
  to: 'device' | 'channel';
  address: RegExp;
  noAddress: string;
  mostBytes: number;
  /** The header of the answer with the id of the push. */
  echo: 'apns-id' | 'apns-request-id';
  headers(to: string, bundle: string, topic: string): OutgoingHttpHeaders;
}

const toDevice: Route = {
  to: 'device',
  address: /^[0-9A-Fa-f]{32,200}$/,
  noAddress: 'the token is not one of an Apple device',
  mostBytes: 4096,
  echo: 'apns-id',
  headers: (to, bundle, topic) => ({ ':path': `/3/device/${to}`, 'apns-topic': `${bundle}${topic}` }),
};

export const toChannel: Route = {
  to: 'channel',
  address: /^[A-Za-z0-9+/]{4,256}={0,2}$/,
  noAddress: 'the id is not one of a broadcast channel',
  mostBytes: 5120,
  echo: 'apns-request-id',
  headers: (to, bundle) => ({ ':path': `/4/broadcasts/apps/${bundle}`, 'apns-channel-id': to }),
};

const isSendable = (header: string): boolean => /^[\x20-\x7e]*$/.test(header);

const goneWords: ReadonlySet<string> = new Set(['Unregistered', 'ExpiredToken']);

const lostChannelWords: ReadonlySet<string> = new Set(['BadChannelId', 'ChannelNotRegistered']);

/** A wrong bundle id makes every token one of another app. */
export const mismatches: ReadonlySet<string> = new Set([
  'DeviceTokenNotForTopic',
  'BadTopic',
  'MissingTopic',
  'TopicDisallowed',
  'TopicMismatch',
]);

/** The reason, and the moment (milliseconds since 1970) from which a device is known to be gone. */
export const saidIn = (text: string): { word: string; since?: number } => {
  const { reason, timestamp } = (parsedJson(text) ?? {}) as { reason?: unknown; timestamp?: unknown };
  return {
    word: typeof reason === 'string' ? reason : '',
    ...(typeof timestamp === 'number' && { since: timestamp }),
  };
};

export const sendApple = async (
  { to, leave }: Pick<Outgoing, 'to' | 'leave'>,
  { headers, topic, payload }: Notification,
  credentials: Credentials['ios_push'],
  tools: AppleTools,
  route = toDevice,
): Promise<Answer> => {
  const { sessions, tokens, keyPauses, devicePauses, proofs, timeoutMs, now = Date.now } = tools;
  const { url = usualUrl, key, key_id, team_id } = credentials;
  const name = nameOf([key, key_id, team_id]);
  const channel = `${url} ${name} ${credentials.topic}`;
  if (!route.address.test(to))
    return {
      state: 'refused',
      reason: 'device_gone',
      words: route.noAddress,
      gone: proofs.goneAt(channel, now),
    };
  if (!Object.values(headers).every(isSendable))
    return {
      state: 'refused',
      reason: 'message_invalid',
      words: 'collapse_id has characters that APNs does not take',
    };
  const body = stringifyExact(payload);
  if (Buffer.byteLength(body) > route.mostBytes) return tooLarge(route.mostBytes);
  const began = now();
  const paused =
    keyPauses.answerFor(name, began, 'APNs wants a pause of this key') ??
    devicePauses.answerFor(to, began, `APNs wants a pause of this ${route.to}`);
  if (paused) return paused;
  const token = appleToken(tokens, name, credentials, began);
  const response = await sessions.request(`${url} ${name}`, url, {
    headers: {
      ':method': 'POST',
      ...route.headers(to, credentials.topic, topic),
      ...headers,
      authorization: `bearer ${token}`,
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
  if (word === 'TooManyRequests') devicePauses.begin(to, now(), afterMsIn(response, now()));
  const [id] = [response.headers[route.echo]].flat();
  if (response.status === 200 || word === 'Unregistered') proofs.prove(channel, now());
  return answerTo(response, now(), {
    ...{ id, words: withoutSecrets(word, alone(token)), hasKeys: true, isMismatch: mismatches.has(word) },
    ...(goneWords.has(word) && { gone: moment }),
    // Also every token of another environment: production, or sandbox.
    ...(word === 'BadDeviceToken' && { gone: proofs.goneAt(channel, now) }),
    // Also every broadcast channel of another environment or app. One that is registered again meanwhile stays.
    ...(lostChannelWords.has(word) && { gone: { ...proofs.goneAt(channel, now), since: began } }),
  });
};
