/** Sends a push to an Android device by Firebase Cloud Messaging. */

import { present, stringifyExact, withoutSecrets } from '@roster/contract';
import type { Credentials } from '../credentials.ts';
import type { HttpResponse } from '../http/exchange.ts';
import type { Sessions } from '../http/sessions.ts';
import { afterMsIn, answerTo } from '../http/status.ts';
import { allAt, parsedJson, textAt } from '../json.ts';
import type { Answer, Gone, Outgoing } from '../outgoing.ts';
import type { Pauses } from '../pauses.ts';
import type { Proofs } from '../proofs.ts';
import { alone } from '../secrets.ts';
import { nameOf } from '../tokens.ts';
import { accountIn, type Tokens } from './account.ts';

type Content = Outgoing['content'];

const asJson = (value: unknown): string | undefined =>
  value === undefined ? undefined : stringifyExact(value);

const asText = (value: unknown): string | undefined => (value === undefined ? undefined : String(value));

/** By -2 to 2. */
const priorities = ['MIN', 'LOW', 'DEFAULT', 'HIGH', 'MAX'].map((name) => `PRIORITY_${name}`);

const priorityOf = (priority: unknown): string | undefined =>
  priority === undefined ? undefined : (priorities[Number(priority) + 2] ?? 'PRIORITY_DEFAULT');

/** `0xff336699`, as Android has colors: without what says how solid it is. */
const colorOf = (color: unknown): string | undefined =>
  color === undefined
    ? undefined
    : `#${BigInt.asUintN(24, BigInt(color as number | bigint))
        .toString(16)
        .padStart(6, '0')}`;

const notificationOf = (content: Content) =>
  present({
    title: content.title,
    body: content.alert,
    channel_id: content.notification_channel_id,
    notification_priority: priorityOf(content.priority),
    sound: content.sound,
    tag: asText(content.notification_id),
    image: content.push_icon_image_url,
    color: colorOf(content.accent_color),
  });

/** FCM takes no texts under these names. */
const reserved = /^(from|message_type|gcm.*|google.*)$/;

const dataOf = ({ id, content }: Outgoing): Record<string, unknown> =>
  present({
    ...Object.fromEntries(
      Object.entries((content.extra ?? {}) as object)
        .filter(([name]) => !reserved.test(name))
        .map(([name, value]) => [name, String(value)]),
    ),
    roster_id: id,
    roster_uri: content.custom_uri,
    roster_use_webview: asText(content.use_webview),
    roster_summary_text: content.summary_text,
    roster_buttons: asJson(content.buttons),
    roster_conversation: asJson(content.conversation_data),
  });

/** The body of `messages:send`. What a notification has no member for goes into its data, for the app. */
export const droidIn = (message: Outgoing) => {
  const { to, content } = message;
  const { android_priority: priority, collapse_key, time_to_live: seconds } = content;
  const android = present({
    collapse_key,
    priority: priority === undefined ? undefined : String(priority).toUpperCase(),
    ttl: seconds === undefined ? undefined : `${seconds}s`,
    // Without one nothing is shown: the app wakes.
    notification: content.send_to_sync === true ? undefined : notificationOf(content),
  });
  return { message: { token: to, data: dataOf(message), android } };
};

/** The quota of one device, by the words of `google.rpc.QuotaFailure` or of the error. Otherwise it is that of the project. */
const isOfDevice = ({ text }: HttpResponse): boolean => {
  const told = parsedJson(text);
  const places = ['error.details.*.violations.*.subject', 'error.details.*.violations.*.description'];
  const words = [...places.flatMap((path) => allAt(path, told)), textAt('error.message', told)];
  return words.some((one) => typeof one === 'string' && /\bdevice\b/i.test(one));
};

interface DroidTools {
  sessions: Sessions;
  tokens: Tokens;
  proofs: Proofs;
  pauses: Pauses;
  timeoutMs?: number;
  now?(): number;
}

const usualUrl = 'https://fcm.googleapis.com';

/** What FCM writes about a token that is none, where it names no field of the message: its other faults of this kind are those of the payload. */
const noToken = /\bregistration token is not (a )?valid\b|\binvalid registration token\b/i;

/** The token is none of FCM: the field is named, or else the message says so (`INVALID_ARGUMENT` in https://firebase.google.com/docs/cloud-messaging/error-codes has no field). */
const isNoToken = (told: unknown, code: unknown): boolean => {
  const fields = allAt('error.details.*.fieldViolations.*.field', told).filter((one) => one !== undefined);
  if (fields.length > 0) return fields.includes('message.token');
  return code === 'INVALID_ARGUMENT' && noToken.test(textAt('error.message', told) ?? '');
};

/** The keys of APNs or of browsers in the project are wrong: our token is right. */
const otherKeys = 'THIRD_PARTY_AUTH_ERROR';

const codeIn = (told: unknown): unknown =>
  [...allAt('error.details.*.errorCode', told), textAt('error.status', told)].find(
    (one) => typeof one === 'string',
  );

/** Of whatever the server has answered: a proxy may say anything, and the push has left. */
const answerOf = (response: HttpResponse, token: string, now: number, none: Gone): Answer => {
  const told = parsedJson(response.text);
  const code = codeIn(told);
  // A bare 404 does not say that the device is gone: the project may be another one.
  const isGone = code === 'UNREGISTERED';
  const said = [code, textAt('error.message', told)].filter((word) => word !== undefined).join(': ');
  return answerTo(response, now, {
    id: textAt('name', told),
    words: withoutSecrets(said, alone(token)),
    // A message for another project's device is at fault itself.
    hasKeys: code !== 'SENDER_ID_MISMATCH',
    isMismatch: code === 'SENDER_ID_MISMATCH',
    ...(isNoToken(told, code) && { gone: none }),
    ...(isGone && { gone: {} }),
  });
};

export const sendDroid = async (
  message: Outgoing,
  { account: text, url = usualUrl }: Credentials['droid_push'],
  { sessions, tokens, proofs, pauses, timeoutMs, now = Date.now }: DroidTools,
): Promise<Answer> => {
  const account = accountIn(text);
  const name = nameOf([text]);
  const device = `${name} ${message.to}`;
  const paused =
    pauses.answerFor(name, now(), 'FCM wants a pause of this project') ??
    pauses.answerFor(device, now(), 'FCM wants a pause of this device');
  if (paused) return paused;
  const answered = await tokens.of(name, account, message.leave?.ws);
  if (!('token' in answered)) {
    if (answered.unbegun && answered.afterMs !== undefined) pauses.begin(name, now(), answered.afterMs);
    return answered;
  }
  const response = await sessions.request(`${url} ${name}`, url, {
    headers: {
      ':method': 'POST',
      ':path': `/v1/projects/${encodeURIComponent(account.project_id)}/messages:send`,
      authorization: `Bearer ${answered.token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(droidIn(message)),
    timeoutMs,
    leave: message.leave,
  });
  if ('state' in response) return response;
  if (response.status === 401 && codeIn(parsedJson(response.text)) !== otherKeys)
    tokens.drop(name, answered.token);
  if (response.status === 429)
    pauses.begin(isOfDevice(response) ? device : name, now(), afterMsIn(response, now()));
  const answer = answerOf(response, answered.token, now(), proofs.goneAt(name, now));
  if (answer.state === 'sent') proofs.prove(name, now());
  return answer;
};
