/** A push to Apple devices. */
import { Type } from '@sinclair/typebox';
import { anyObject, flag, label, maybe, objectOf, oneOf, text, whole } from '../../../shape.ts';
import { variationId } from '../common.ts';
import { appleAlert } from './apple-alert.ts';
import { buttonsOf, picture, recentOnly, soundName, uri, useWebview } from './push.ts';

const level = oneOf(
  ['passive', 'active', 'time-sensitive', 'critical'],
  'How much the push may interrupt the person.',
);

const assetType = oneOf(
  ['aif', 'gif', 'jpg', 'm4a', 'mp3', 'mp4', 'png', 'wav'],
  'The kind of the file at `asset_url`.',
);

export const iosPush = objectOf(
  'A push to the Apple devices of a person: to each of the 20 that were registered last. At most 1,912 bytes as JSON.',
  {
    alert: maybe(appleAlert),
    badge: maybe(whole('The number on the icon of the app.', { minimum: 0, maximum: 99_999 })),
    sound: soundName,
    extra: maybe(anyObject('More data for the app. The names `aps` and `roster` are reserved.')),
    'content-available': maybe(flag('Wakes the app. Then `alert` may be left out, and nothing is shown.')),
    interruption_level: maybe(level),
    relevance_score: maybe(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'The relevance of the push: it orders the pushes of the app.',
      }),
    ),
    expiry: maybe(text('Until when delivery is tried, ISO 8601.', { maxLength: 64 })),
    custom_uri: uri,
    use_webview: useWebview,
    notification_group_thread_id: maybe(label('Pushes with the same value are shown as a group.')),
    asset_url: picture('A picture, film or sound; needs `asset_file_type`.'),
    asset_file_type: maybe(assetType),
    collapse_id: maybe(
      text('A later push with the same value replaces this one; at most 64 bytes.', {
        minLength: 1,
        maxLength: 64,
      }),
    ),
    mutable_content: maybe(flag('Whether the app may change the push before it is shown.')),
    send_to_most_recent_device_only: recentOnly,
    category: maybe(label('The category of its buttons in the app.')),
    buttons: buttonsOf({
      action_id: label('The id of the button in the category.'),
    }),
    apns_priority: maybe(whole('The priority.', { minimum: 1, maximum: 10 })),
    message_variation_id: variationId,
  },
);
