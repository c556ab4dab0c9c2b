/** Sends a push to a browser: encrypted for it alone (RFC 8291), signed by the keys of the app (RFC 8292). */

import { ECDH } from 'node:crypto';
import { present, withoutSecrets } from '@roster/contract';
import webPush from 'web-push';
import type { Credentials } from '../credentials.ts';
import type { HttpResponse } from '../http/exchange.ts';
import { type HttpOptions, sendRequest } from '../http/request.ts';
import { answerTo } from '../http/status.ts';
import { parsedJson } from '../json.ts';
import { type Answer, type Outgoing, tooLarge } from '../outgoing.ts';
import type { Proofs } from '../proofs.ts';
import { alone } from '../secrets.ts';

/** Where a browser takes pushes: the token that its page has sent, which is nobody's word but a stranger's. */
interface Subscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** Of a token. */
const mostTokenBytes = 4096;

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
const subscriptionIn = (token: string): Subscription | undefined => {
  if (Buffer.byteLength(token) > mostTokenBytes) return undefined;
  const { endpoint, keys } = (parsedJson(token) ?? {}) as Partial<Record<'endpoint' | 'keys', unknown>>;
  const { p256dh, auth } = (keys ?? {}) as Partial<Record<'p256dh' | 'auth', unknown>>;
  if (typeof endpoint !== 'string' || !/^https?:/.test(endpoint) || !URL.canParse(endpoint)) return undefined;
  if (!isKey(p256dh) || bytesIn(auth) !== 16) return undefined;
  return { endpoint, keys: { p256dh, auth: String(auth) } };
};

type WebContent = Readonly<Record<string, unknown>>;

interface Button {
  text: string;
  action?: string;
  uri?: string;
}

const actionOf = ({ text, action, uri }: Button, place: number) =>
  present({ action: `button-${place + 1}`, title: text, does: action ?? 'OPEN_APP', url: uri });

/** A push by the names of the Notifications API. The service worker of the page shows it: see docs/messaging.md. */
export const webIn = ({ id, content }: { id: string; content: WebContent }): string => {
  const { alert, title, extra, custom_uri, image_url, large_image_url, require_interaction, buttons } =
    content;
  return JSON.stringify(
    present({
      id,
      title,
      body: alert,
      icon: image_url,
      image: large_image_url,
      url: custom_uri,
      requireInteraction: require_interaction,
      actions: (buttons as Button[] | undefined)?.map(actionOf),
      data: extra,
    }),
  );
};

type WebKeys = Pick<Credentials['web_push'], 'public_key' | 'private_key' | 'contact'>;

export interface WebOptions extends Omit<HttpOptions, 'readsText' | 'leave'>, WebKeys {
  proofs: Proofs;
  now?(): number;
}

/** What a push service takes at least, without what encryption adds. */
const mostBytes = 3993;
const usualSeconds = 28 * 24 * 60 * 60;

/** The browser has given the subscription up, or the push service never knew it. */
const gone: ReadonlySet<number> = new Set([404, 410]);

/** The browser subscribed with the keys of another sender, as Google and Microsoft, Apple, and Google's older servers say it. */
const otherKeys = /do not correspond to the credentials|VapidPkHashMismatch|UnauthorizedRegistration/;

/** `token`: stands in what was sent, and is good for other pushes too. Only a status removes a subscription, and never a text: Mozilla has sent 404 and 410 with each `errno` (102, 103, 105, 106). */
const answerOf = (response: HttpResponse, token: string, now: number): Answer => {
  const { status, headers, text } = response;
  return answerTo(response, now, {
    id: withoutSecrets(headers.location ?? '', alone(token)) || undefined,
    hasKeys: true,
    isMismatch: (status === 400 || status === 403) && otherKeys.test(text),
    // Microsoft's 429.
    isLimited: status === 406,
    ...(gone.has(status) && { gone: {} }),
  });
};

/** Judged at the door. */
type WebHeaders = Pick<webPush.RequestOptions, 'urgency' | 'topic'>;

const requestFor = (
  subscription: Subscription,
  { content }: Pick<Outgoing, 'content'>,
  payload: string,
  keys: WebKeys,
) =>
  webPush.generateRequestDetails(subscription, payload, {
    TTL: Number(content.time_to_live ?? usualSeconds),
    ...(present({ urgency: content.urgency, topic: content.topic }) as WebHeaders),
    contentEncoding: 'aes128gcm',
    vapidDetails: { subject: keys.contact, publicKey: keys.public_key, privateKey: keys.private_key },
  });

const textsOf = (headers: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
      .filter(([name]) => name !== 'content-length'),
  );

export const sendWeb = async (message: Outgoing, options: WebOptions): Promise<Answer> => {
  const { proofs, now = Date.now } = options;
  const subscription = subscriptionIn(message.to);
  if (!subscription)
    return {
      state: 'refused',
      reason: 'device_gone',
      words: 'the token is no PushSubscription as JSON',
      gone: proofs.goneAt(options.public_key, now),
    };
  const { protocol } = new URL(subscription.endpoint);
  if (protocol !== 'https:' && !options.allowPrivate)
    return {
      state: 'refused',
      reason: 'device_gone',
      words: 'the endpoint must begin with https://',
      gone: {},
    };
  const payload = webIn(message);
  if (Buffer.byteLength(payload) > mostBytes) return tooLarge(mostBytes);
  const { endpoint, method, headers, body } = requestFor(subscription, message, payload, options);
  const sent = textsOf(headers);
  const response = await sendRequest(
    { url: endpoint, method, headers: sent, body: body ?? '' },
    { ...options, leave: message.leave, readsText: true },
  );
  if ('state' in response) return response;
  const answer = answerOf(response, sent.authorization ?? '', now());
  if (answer.state === 'sent') proofs.prove(options.public_key, now());
  return answer;
};
