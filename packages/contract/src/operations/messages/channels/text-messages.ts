/** Messages to a phone: SMS and WhatsApp. */
import { Type } from '@sinclair/typebox';
import { anyObject, text } from '../../../shape.ts';
import { variationId } from '../common.ts';

const sender = {
  app_id: text('The app whose provider sends it.', { minLength: 1, maxLength: 255 }),
  subscription_group_id: text('The subscription group: only people who subscribed to it get the message.', {
    minLength: 1,
    maxLength: 255,
  }),
};

const notYet = (description: string) => Type.Optional(Type.Boolean({ description }));

export const sms = Type.Object(
  {
    ...sender,
    body: text('The text, with Liquid.', { minLength: 1, maxLength: 1600 }),
    media_items: Type.Optional(
      Type.Array(text('An address, with Liquid.', { minLength: 8, maxLength: 2048 }), {
        maxItems: 10,
        description: 'URLs of pictures that are sent with the message.',
      }),
    ),
    link_shortening_enabled: notYet('Not available: `true` is refused.'),
    user_click_tracking_enabled: notYet('Not available: `true` is refused.'),
    message_variation_id: variationId,
  },
  { description: 'A text message to the phone of a person.' },
);

export const whatsApp = Type.Object(
  {
    ...sender,
    message_type: text('The kind of message, as the provider calls it.', { minLength: 1, maxLength: 100 }),
    message: anyObject(
      'The message in the shape of the provider. Its texts may have Liquid. With whole numbers beyond 2^53 the whole message has at most 16,384 bytes as JSON.',
    ),
    message_variation_id: variationId,
  },
  { description: 'A WhatsApp message to the phone of a person.' },
);
