/** A push to browsers. */
import { Type } from '@sinclair/typebox';
import { text } from '../../../shape.ts';
import { variationId } from '../common.ts';
import { buttonsOf, extraTexts, picture, recentOnly, timeToLive, uri } from './push.ts';

export const webPush = Type.Object(
  {
    alert: text('The text, with Liquid.', { minLength: 1, maxLength: 2000 }),
    title: text('The title, with Liquid.', { minLength: 1, maxLength: 500 }),
    extra: extraTexts,
    custom_uri: uri,
    image_url: picture('The icon.'),
    large_image_url: picture('A picture below the text.'),
    require_interaction: Type.Optional(
      Type.Boolean({ description: 'Whether it stays until the person does something.' }),
    ),
    time_to_live: timeToLive,
    send_to_most_recent_device_only: recentOnly,
    buttons: buttonsOf({
      text: text('What it says, with Liquid.', { minLength: 1, maxLength: 255 }),
    }),
    message_variation_id: variationId,
  },
  {
    description:
      'A push to the browsers of a person: to each of the 20 that were registered last. The token is the JSON text of a `PushSubscription`. At most 3,900 bytes as JSON.',
  },
);
