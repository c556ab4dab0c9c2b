/** A push to Apple devices. */
import { Type } from '@sinclair/typebox';
import { anyObject, oneOf, text } from '../../../shape.ts';
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

export const iosPush = Type.Object(
  {
    alert: Type.Optional(appleAlert),
    badge: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 99_999, description: 'The number on the icon of the app.' }),
    ),
    sound: soundName,
    extra: Type.Optional(anyObject('More data for the app. The names `aps` and `roster` are reserved.')),
    'content-available': Type.Optional(
      Type.Boolean({ description: 'Wakes the app. Then `alert` may be left out, and nothing is shown.' }),
    ),
    interruption_level: Type.Optional(level),
    relevance_score: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'The relevance of the push: it orders the pushes of the app.',
      }),
    ),
    expiry: Type.Optional(text('Until when delivery is tried, ISO 8601.', { maxLength: 64 })),
    custom_uri: uri,
    use_webview: useWebview,
    notification_group_thread_id: Type.Optional(
      text('Pushes with the same value are shown as a group.', { minLength: 1, maxLength: 255 }),
    ),
    asset_url: picture('A picture, film or sound; needs `asset_file_type`.'),
    asset_file_type: Type.Optional(assetType),
    collapse_id: Type.Optional(
      text('A later push with the same value replaces this one; at most 64 bytes.', {
        minLength: 1,
        maxLength: 64,
      }),
    ),
    mutable_content: Type.Optional(
      Type.Boolean({ description: 'Whether the app may change the push before it is shown.' }),
    ),
    send_to_most_recent_device_only: recentOnly,
    category: Type.Optional(
      text('The category of its buttons in the app.', { minLength: 1, maxLength: 255 }),
    ),
    buttons: buttonsOf({
      action_id: text('The id of the button in the category.', { minLength: 1, maxLength: 255 }),
    }),
    apns_priority: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, description: 'The priority.' })),
    message_variation_id: variationId,
  },
  {
    description:
      'A push to the Apple devices of a person: to each of the 20 that were registered last. At most 1,912 bytes as JSON.',
  },
);
