/** A push to browsers. */
import { flag, label, maybe, objectOf, text } from '../../../shape.ts';
import { variationId } from '../common.ts';
import { buttonsOf, extraTexts, picture, recentOnly, timeToLive, uri } from './push.ts';

export const webPush = objectOf(
  'A push to the browsers of a person: to each of the 20 that were registered last. The token is the JSON text of a `PushSubscription`. At most 3,900 bytes as JSON.',
  {
    alert: text('The text, with Liquid.', { minLength: 1, maxLength: 2000 }),
    title: text('The title, with Liquid.', { minLength: 1, maxLength: 500 }),
    extra: extraTexts,
    custom_uri: uri,
    image_url: picture('The icon.'),
    large_image_url: picture('A picture below the text.'),
    require_interaction: maybe(flag('Whether it stays until the person does something.')),
    time_to_live: timeToLive,
    send_to_most_recent_device_only: recentOnly,
    buttons: buttonsOf({
      text: label('What it says, with Liquid.'),
    }),
    message_variation_id: variationId,
  },
);
