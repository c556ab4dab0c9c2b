/** A push to Android devices. */
import { Type } from '@sinclair/typebox';
import { count, oneOf, text } from '../../../shape.ts';
import { variationId } from '../common.ts';
import {
  buttonsOf,
  extraTexts,
  picture,
  recentOnly,
  soundName,
  timeToLive,
  uri,
  useWebview,
} from './push.ts';

const id = (description: string) => Type.Optional(text(description, { minLength: 1, maxLength: 255 }));

const conversation = Type.Object(
  {
    shortcut_id: text('The shortcut of the conversation in the app.', { minLength: 1, maxLength: 255 }),
    reply_person_id: text('The id of the person who is answered.', { minLength: 1, maxLength: 255 }),
    messages: Type.Array(
      Type.Object(
        {
          text: text('What was said, with Liquid.', { maxLength: 2000 }),
          timestamp: count('When, in milliseconds since 1970.'),
          person_id: text('Who said it.', { minLength: 1, maxLength: 255 }),
        },
        { description: 'What one of them said.' },
      ),
      { minItems: 1, maxItems: 25, description: 'What was said.' },
    ),
    persons: Type.Array(
      Type.Object(
        {
          id: text('The id of the person here.', { minLength: 1, maxLength: 255 }),
          name: text('Their name, with Liquid.', { minLength: 1, maxLength: 255 }),
        },
        { description: 'One of them.' },
      ),
      { minItems: 1, maxItems: 25, description: 'Who talks.' },
    ),
  },
  { description: 'Shows the push as a conversation.' },
);

export const droidPush = Type.Object(
  {
    alert: Type.Optional(text('The text, with Liquid.', { minLength: 1, maxLength: 4000 })),
    title: Type.Optional(text('The title, with Liquid.', { minLength: 1, maxLength: 1000 })),
    extra: extraTexts,
    notification_channel_id: id('The notification channel of the app.'),
    priority: Type.Optional(
      Type.Integer({ description: 'How it is shown: -2 to 2; any other number counts as 0.' }),
    ),
    android_priority: Type.Optional(oneOf(['normal', 'high'], 'Whether it wakes a sleeping device.')),
    send_to_sync: Type.Optional(
      Type.Boolean({ description: 'Wakes the app and shows nothing: without `alert` and `title`.' }),
    ),
    collapse_key: id('While the device is offline, a later push with the same value replaces this one.'),
    sound: soundName,
    custom_uri: uri,
    use_webview: useWebview,
    summary_text: Type.Optional(text('A second text, with Liquid.', { maxLength: 1000 })),
    time_to_live: timeToLive,
    notification_id: Type.Optional(
      Type.Integer({ description: 'A later push with the same value replaces this one on the device.' }),
    ),
    push_icon_image_url: picture('A picture beside the text.'),
    accent_color: Type.Optional(Type.Integer({ description: 'The color of the icon, as a number.' })),
    send_to_most_recent_device_only: recentOnly,
    buttons: buttonsOf({
      text: text('What it says, with Liquid.', { minLength: 1, maxLength: 255 }),
    }),
    conversation_data: Type.Optional(conversation),
    message_variation_id: variationId,
  },
  {
    description:
      'A push to the Android devices of a person: to each of the 20 that were registered last. At most 4,000 bytes as JSON.',
  },
);
