/** Messages to a phone: SMS and WhatsApp. */
import { anyObject, flag, label, listOf, maybe, objectOf, text } from '../../../shape.ts';
import { variationId } from '../common.ts';

const sender = {
  app_id: label('The app whose provider sends it.'),
  subscription_group_id: label('The subscription group: only people who subscribed to it get the message.'),
};

const notYet = (description: string) => maybe(flag(description));

export const sms = objectOf('A text message to the phone of a person.', {
  ...sender,
  body: text('The text, with Liquid.', { minLength: 1, maxLength: 1600 }),
  media_items: maybe(
    listOf(
      text('An address, with Liquid.', { minLength: 8, maxLength: 2048 }),
      'URLs of pictures that are sent with the message.',
      { maxItems: 10 },
    ),
  ),
  link_shortening_enabled: notYet('Not available: `true` is refused.'),
  user_click_tracking_enabled: notYet('Not available: `true` is refused.'),
  message_variation_id: variationId,
});

export const whatsApp = objectOf('A WhatsApp message to the phone of a person.', {
  ...sender,
  message_type: text('The kind of message, as the provider calls it.', { minLength: 1, maxLength: 100 }),
  message: anyObject(
    'The message in the shape of the provider. Its texts may have Liquid. With whole numbers beyond 2^53 the whole message has at most 16,384 bytes as JSON.',
  ),
  message_variation_id: variationId,
});
