/** A content card of a message. */
import { Type } from '@sinclair/typebox';
import { flag, maybe, objectOf, oneOf, text, whole } from '../../../shape.ts';
import { variationId } from '../common.ts';

const url = (description: string) => maybe(text(description, { minLength: 1, maxLength: 2048 }));

export const contentCard = objectOf('A card that is stored for the person; their app reads it.', {
  type: oneOf(['CLASSIC', 'CAPTIONED_IMAGE', 'BANNER'], 'The kind of card.'),
  title: text('The title, with Liquid.', { minLength: 1, maxLength: 1000 }),
  description: text('The text, with Liquid.', { minLength: 1, maxLength: 10_000 }),
  image_url: url('A picture; required unless `type` is `CLASSIC`.'),
  url: url('Where the card leads.'),
  use_webview: maybe(flag('Whether the app opens the URL inside the app.')),
  pinned: maybe(flag('Whether the card is shown above the others.')),
  time_to_live: maybe(whole('How long it is shown, in seconds.', { minimum: 1, maximum: 30 * 24 * 3600 })),
  expire_at: maybe(
    text('Until when it is shown, ISO 8601; at most 30 days after it is sent.', { maxLength: 64 }),
  ),
  extra: maybe(
    Type.Record(
      Type.String({ pattern: '^[^\\x00-\\x1f]{1,255}$' }),
      text('A value.', { maxLength: 10_000 }),
      {
        maxProperties: 100,
        additionalProperties: false,
        description: 'More data for the app, as texts.',
      },
    ),
  ),
  message_variation_id: variationId,
});
