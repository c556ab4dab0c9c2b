/** A push to Android devices. */
import { count, flag, label, listOf, maybe, objectOf, oneOf, text, whole } from '../../../shape.ts';
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

const id = (description: string) => maybe(label(description));

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
  {
    alert: maybe(text('The text, with Liquid.', { minLength: 1, maxLength: 4000 })),
    title: maybe(text('The title, with Liquid.', { minLength: 1, maxLength: 1000 })),
    extra: extraTexts,
    notification_channel_id: id('The notification channel of the app.'),
    priority: maybe(whole('How it is shown: -2 to 2; any other number counts as 0.')),
    android_priority: maybe(oneOf(['normal', 'high'], 'Whether it wakes a sleeping device.')),
    send_to_sync: maybe(flag('Wakes the app and shows nothing: without `alert` and `title`.')),
    collapse_key: id('While the device is offline, a later push with the same value replaces this one.'),
    sound: soundName,
    custom_uri: uri,
    use_webview: useWebview,
    summary_text: maybe(text('A second text, with Liquid.', { maxLength: 1000 })),
    time_to_live: timeToLive,
    notification_id: maybe(whole('A later push with the same value replaces this one on the device.')),
    push_icon_image_url: picture('A picture beside the text.'),
    accent_color: maybe(whole('The color of the icon, as a number.')),
    send_to_most_recent_device_only: recentOnly,
    buttons: buttonsOf({
      text: label('What it says, with Liquid.'),
    }),
    conversation_data: maybe(conversation),
    message_variation_id: variationId,
  },
);
