/** A push of the interface as FCM takes it. What its notification has no member for goes into its data, for the app. */
import { present, stringifyExact } from '@roster/contract';
import type { Outgoing } from '../outgoing.ts';

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

/** The body of `messages:send`. */
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
