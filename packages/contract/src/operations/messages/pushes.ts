/** Pushes: to Apple devices, to Android devices and to browsers. */
import { type Static, type TProperties, Type } from '@sinclair/typebox';
import {
  anyObject,
  count,
  flag,
  label,
  listOf,
  objectOf,
  oneOf,
  optional,
  plain,
  text,
  whole,
} from '../../shape.ts';
import { extraOf, message_variation_id, url } from './channels.ts';

const line = (description: string) => text(description, { maxLength: 2000 });
const args = Type.Array(text('A text.', { maxLength: 500 }), { maxItems: 20 });

const sound = label('The sound, by its name in the app.');

const alertParts = Type.Object(
  optional({
    title: line('The title.'),
    body: line('The text.'),
    title_loc_key: line('The key of the title in the translations of the app.'),
    title_loc_args: args,
    action_loc_key: line('The key of the button.'),
    loc_key: line('The key of the text.'),
    loc_args: args,
    sound,
  }),
);

/** What an Apple device shows, of a push and of a live activity. */
export const appleAlert = plain<string | Static<typeof alertParts>>({
  anyOf: [{ type: 'string', minLength: 1, maxLength: 2000 }, alertParts],
  description: 'What is shown: a text, or a title and a text.',
});

const opening = {
  custom_uri: url('What a tap opens: a URL, or a place in the app.'),
  use_webview: flag('Whether the app opens the URL inside the app.'),
};

const send_to_most_recent_device_only = flag('Sends only to the device whose token was registered last.');

const extra = extraOf(text('A value, with Liquid.', { maxLength: 4000 }));

const time_to_live = whole('How long delivery is tried, in seconds.', { minimum: 0, maximum: 2_419_200 });

const action = oneOf(['OPEN_APP', 'URI', 'DEEP_LINK', 'CLOSE'], 'What the button does.');

const buttonsOf = <Members extends TProperties>(members: Members) =>
  listOf(
    objectOf('A button.', {
      ...members,
      ...optional({ action, uri: opening.custom_uri, use_webview: opening.use_webview }),
    }),
    'Buttons below the push.',
    { maxItems: 4 },
  );

const withText = buttonsOf({ text: label('What it says, with Liquid.') });

export const iosPush = objectOf(
  'A push to the Apple devices of a person: to each of the 20 that were registered last. At most 1,912 bytes as JSON.',
  optional({
    alert: appleAlert,
    badge: whole('The number on the icon of the app.', { minimum: 0, maximum: 99_999 }),
    sound,
    extra: anyObject('More data for the app. The names `aps` and `roster` are reserved.'),
    'content-available': flag('Wakes the app. Then `alert` may be left out, and nothing is shown.'),
    interruption_level: oneOf(
      ['passive', 'active', 'time-sensitive', 'critical'],
      'How much the push may interrupt the person.',
    ),
    relevance_score: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'The relevance of the push: it orders the pushes of the app.',
    }),
    expiry: text('Until when delivery is tried, ISO 8601.', { maxLength: 64 }),
    ...opening,
    notification_group_thread_id: label('Pushes with the same value are shown as a group.'),
    asset_url: url('A picture, film or sound; needs `asset_file_type`.'),
    asset_file_type: oneOf(
      ['aif', 'gif', 'jpg', 'm4a', 'mp3', 'mp4', 'png', 'wav'],
      'The kind of the file at `asset_url`.',
    ),
    collapse_id: text('A later push with the same value replaces this one; at most 64 bytes.', {
      minLength: 1,
      maxLength: 64,
    }),
    mutable_content: flag('Whether the app may change the push before it is shown.'),
    send_to_most_recent_device_only,
    category: label('The category of its buttons in the app.'),
    buttons: buttonsOf({ action_id: label('The id of the button in the category.') }),
    apns_priority: whole(
      'The priority: 10 at once, 5 when it suits the device, 1 below all others. 2 to 4 are 5, and 6 to 9 are 10, as APNs knows these three.',
      {
        minimum: 1,
        maximum: 10,
      },
    ),
    message_variation_id,
  }),
);

const conversation = objectOf('Shows the push as a conversation.', {
  shortcut_id: label('The shortcut of the conversation in the app.'),
  reply_person_id: label('The id of the person who is answered.'),
  messages: listOf(
    objectOf('What one of them said.', {
      text: text('What was said, with Liquid.', { maxLength: 2000 }),
      timestamp: count('When, in milliseconds since 1970.'),
      person_id: label('Who said it.'),
    }),
    'What was said.',
    { minItems: 1, maxItems: 25 },
  ),
  persons: listOf(
    objectOf('One of them.', {
      id: label('The id of the person here.'),
      name: label('Their name, with Liquid.'),
    }),
    'Who talks.',
    { minItems: 1, maxItems: 25 },
  ),
});

export const droidPush = objectOf(
  'A push to the Android devices of a person: to each of the 20 that were registered last. At most 4,000 bytes as JSON.',
  optional({
    alert: text('The text, with Liquid.', { minLength: 1, maxLength: 4000 }),
    title: text('The title, with Liquid.', { minLength: 1, maxLength: 1000 }),
    extra,
    notification_channel_id: label('The notification channel of the app.'),
    priority: whole('How it is shown: -2 to 2; any other number counts as 0.'),
    android_priority: oneOf(['normal', 'high'], 'Whether it wakes a sleeping device.'),
    send_to_sync: flag('Wakes the app and shows nothing: without `alert` and `title`.'),
    collapse_key: label('While the device is offline, a later push with the same value replaces this one.'),
    sound,
    ...opening,
    summary_text: text('A second text, with Liquid.', { maxLength: 1000 }),
    time_to_live,
    notification_id: whole('A later push with the same value replaces this one on the device.'),
    push_icon_image_url: url('A picture beside the text.'),
    accent_color: whole('The color of the icon, as a number.'),
    send_to_most_recent_device_only,
    buttons: withText,
    conversation_data: conversation,
    message_variation_id,
  }),
);

export const webPush = objectOf(
  'A push to the browsers of a person: to each of the 20 that were registered last. The token is the JSON text of a `PushSubscription`. At most 3,900 bytes as JSON.',
  {
    alert: text('The text, with Liquid.', { minLength: 1, maxLength: 2000 }),
    title: text('The title, with Liquid.', { minLength: 1, maxLength: 500 }),
    ...optional({
      extra,
      custom_uri: opening.custom_uri,
      image_url: url('The icon.'),
      large_image_url: url('A picture below the text.'),
      require_interaction: flag('Whether it stays until the person does something.'),
      time_to_live,
      urgency: oneOf(
        ['very-low', 'low', 'normal', 'high'],
        'How much it is worth the battery of the device (RFC 8030); `normal` without it.',
      ),
      topic: text(
        'It replaces a push with the same topic that has not arrived yet (RFC 8030): at most 32 characters of A-Z, a-z, 0-9, - and _.',
        { pattern: '^[A-Za-z0-9_-]{1,32}$' },
      ),
      send_to_most_recent_device_only,
      buttons: withText,
      message_variation_id,
    }),
  },
);
