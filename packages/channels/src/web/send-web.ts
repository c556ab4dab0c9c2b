/** Sends a push to a browser: encrypted for it alone (RFC 8291), signed by the keys of the app (RFC 8292). */
import webPush from 'web-push';
import type { Answer } from '../answer.ts';
import type { Credentials } from '../credentials.ts';
import type { HttpResponse } from '../http/exchange.ts';
import { type HttpOptions, sendRequest } from '../http/request.ts';
import { answerTo } from '../http/status.ts';
import type { Outgoing } from '../outgoing.ts';
import { type Subscription, subscriptionIn } from './subscription.ts';
import { payloadOf } from './web-message.ts';

type WebKeys = Pick<Credentials['web_push'], 'public_key' | 'private_key' | 'contact'>;

export interface WebOptions extends Omit<HttpOptions, 'readsText' | 'leave'>, WebKeys {
  now?(): number;
}

/** What a push service takes at least, without what encryption adds. */
const mostBytes = 3993;
const usualSeconds = 28 * 24 * 60 * 60;

/** The browser has given the subscription up, or the push service never knew it. */
const gone: ReadonlySet<number> = new Set([404, 410]);

const answerOf = (response: HttpResponse, now: number): Answer => {
  const said = { id: response.headers.location, hasKeys: true };
  const answer = answerTo(response, 'the push service', now, said);
  return answer.state === 'refused' && gone.has(response.status) ? { ...answer, gone: {} } : answer;
};

const requestFor = (subscription: Subscription, message: Outgoing, payload: string, keys: WebKeys) =>
  webPush.generateRequestDetails(subscription, payload, {
    TTL: Number(message.content.time_to_live ?? usualSeconds),
    contentEncoding: 'aes128gcm',
    vapidDetails: { subject: keys.contact, publicKey: keys.public_key, privateKey: keys.private_key },
  });

const textsOf = (headers: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
      .filter(([name]) => name !== 'content-length'),
  );

export const sendWeb = async (
  message: Outgoing,
  { public_key, private_key, contact, now = Date.now, ...options }: WebOptions,
): Promise<Answer> => {
  const subscription = subscriptionIn(message.to);
  if (!subscription)
    return { state: 'refused', reason: 'the token is no PushSubscription as JSON', gone: {} };
  const { protocol } = new URL(subscription.endpoint);
  if (protocol !== 'https:' && !options.allowPrivate)
    return { state: 'refused', reason: 'the endpoint must begin with https://', gone: {} };
  const payload = payloadOf(message);
  if (Buffer.byteLength(payload) > mostBytes)
    return { state: 'refused', reason: `the push is larger than ${mostBytes} bytes` };
  const keys = { public_key, private_key, contact };
  const { endpoint, method, headers, body } = requestFor(subscription, message, payload, keys);
  const response = await sendRequest(
    { url: endpoint, method, headers: textsOf(headers), body: body ?? '' },
    { ...options, leave: message.leave },
  );
  return 'state' in response ? response : answerOf(response, now());
};
