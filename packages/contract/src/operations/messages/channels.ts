/** The messages of all channels but pushes, and what they have in common with these. */
import { Type } from '@sinclair/typebox';
import {
  anyObject,
  flag,
  label,
  listOf,
  maybe,
  objectOf,
  oneOf,
  optional,
  text,
  whole,
} from '../../shape.ts';
import { headersRule } from './email-headers.ts';

export const message_variation_id = label('Which variation of a campaign it is.');

export const url = (description: string) => text(description, { minLength: 1, maxLength: 2048 });

/** Texts under names of their own. */
const textsOf = (
  pattern: string,
  value: ReturnType<typeof text>,
  maxProperties: number,
  description: string,
) =>
  Type.Record(Type.String({ pattern }), value, { maxProperties, additionalProperties: false, description });

/** For the app. */
export const extraOf = (value: ReturnType<typeof text>) =>
  textsOf('^[^\\x00-\\x1f]{1,255}$', value, 100, 'More data for the app, as texts.');

/** As `reply_to`. */
export const noReply = 'NO_REPLY_TO';

export const email = objectOf('An email. It carries the headers by which one click unsubscribes.', {
  app_id: label('The app whose server sends it.'),
  from: text('`Name <a@b>`, or an email alone. Addresses are no Liquid.', { minLength: 3, maxLength: 320 }),
  subject: maybe(
    text(
      'The subject, with Liquid. It may be empty. Line breaks and other control characters become spaces.',
      { maxLength: 1000 },
    ),
  ),
  body: text('The HTML, with Liquid. What comes from the person is escaped.', { minLength: 1 }),
  ...optional({
    plaintext_body: text('The plain text of the email. Made from the HTML when it is left out.'),
    preheader: text('Preview text: shown beside the subject, but not in the email.', { maxLength: 1000 }),
    reply_to: text('Where replies go, written like `from`; `NO_REPLY_TO` for nowhere.', { maxLength: 320 }),
    bcc: text('An address that gets a hidden copy of each email.', { maxLength: 320 }),
    headers: textsOf(
      '^[A-Za-z][A-Za-z0-9-]{0,99}$',
      text('Its value, one line, with Liquid.', { maxLength: 998 }),
      50,
      `More headers of the mail. ${headersRule}.`,
    ),
    should_inline_css: flag('Whether CSS is written into the tags, for mail programs that need it.'),
    message_variation_id,
  }),
});

const toPhone = {
  app_id: label('The app whose provider sends it.'),
  subscription_group_id: label('The subscription group: only people who subscribed to it get the message.'),
};

export const sms = objectOf('A text message to the phone of a person.', {
  ...toPhone,
  body: text('The text, with Liquid.', { minLength: 1, maxLength: 1600 }),
  ...optional({
    media_items: listOf(
      text('An address, with Liquid.', { minLength: 8, maxLength: 2048 }),
      'URLs of pictures that are sent with the message.',
      { maxItems: 10 },
    ),
    link_shortening_enabled: flag('Not available: `true` is refused.'),
    user_click_tracking_enabled: flag('Not available: `true` is refused.'),
    message_variation_id,
  }),
});

export const whatsApp = objectOf('A WhatsApp message to the phone of a person.', {
  ...toPhone,
  message_type: text('The kind of message, as the provider calls it.', { minLength: 1, maxLength: 100 }),
  message: anyObject(
    'The message in the shape of the provider. Its texts may have Liquid. With whole numbers beyond 2^53 the whole message has at most 16,384 bytes as JSON.',
  ),
  message_variation_id: maybe(message_variation_id),
});

/** RFC 9110 5.6.2. */
const headerName = "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$";

export const webhook = objectOf(
  'A request to a server. With a secret in the settings of an app it is signed by the rules of Standard Webhooks. Redirects are not followed.',
  {
    url: text(
      '`https://` or `http://`, with Liquid. Hosts in private networks are refused unless the workspace allows them.',
      { minLength: 8, maxLength: 2048 },
    ),
    request_method: oneOf(['POST', 'PUT', 'DELETE', 'GET'], 'The method.'),
    ...optional({
      request_headers: textsOf(
        headerName,
        text('Its value, with Liquid.', { maxLength: 8192 }),
        50,
        'Headers of the request.',
      ),
      body: text('The body, with Liquid.'),
      message_variation_id,
    }),
  },
);

export const contentCard = objectOf('A card that is stored for the person; their app reads it.', {
  type: oneOf(['CLASSIC', 'CAPTIONED_IMAGE', 'BANNER'], 'The kind of card.'),
  title: text('The title, with Liquid.', { minLength: 1, maxLength: 1000 }),
  description: text('The text, with Liquid.', { minLength: 1, maxLength: 10_000 }),
  ...optional({
    image_url: url('A picture; required unless `type` is `CLASSIC`.'),
    url: url('Where the card leads.'),
    use_webview: flag('Whether the app opens the URL inside the app.'),
    pinned: flag('Whether the card is shown above the others.'),
    time_to_live: whole('How long it is shown, in seconds.', { minimum: 1, maximum: 30 * 24 * 3600 }),
    expire_at: text('Until when it is shown, ISO 8601; at most 30 days after it is sent.', { maxLength: 64 }),
    extra: extraOf(text('A value.', { maxLength: 10_000 })),
    message_variation_id,
  }),
});
