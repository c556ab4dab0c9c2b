/** An email of a message. */
import { Type } from '@sinclair/typebox';
import { flag, label, maybe, objectOf, text } from '../../../shape.ts';
import { variationId } from '../common.ts';
import { headersRule } from './email-headers.ts';

/** As `reply_to`. */
export const noReply = 'NO_REPLY_TO';

export const email = objectOf('An email. It carries the headers by which one click unsubscribes.', {
  app_id: label('The app whose server sends it.'),
  from: text('`Name <a@b>`, or an email alone. Addresses are no Liquid.', { minLength: 3, maxLength: 320 }),
  subject: maybe(text('The subject, with Liquid.', { maxLength: 1000 })),
  body: text('The HTML, with Liquid. What comes from the person is escaped.', { minLength: 1 }),
  plaintext_body: maybe(text('The plain text of the email. Made from the HTML when it is left out.')),
  preheader: maybe(
    text('Preview text: shown beside the subject, but not in the email.', { maxLength: 1000 }),
  ),
  reply_to: maybe(
    text('Where replies go, written like `from`; `NO_REPLY_TO` for nowhere.', { maxLength: 320 }),
  ),
  bcc: maybe(text('An address that gets a hidden copy of each email.', { maxLength: 320 })),
  headers: maybe(
    Type.Record(
      Type.String({ pattern: '^[A-Za-z][A-Za-z0-9-]{0,99}$' }),
      text('Its value, one line, with Liquid.', { maxLength: 998 }),
      {
        maxProperties: 50,
        additionalProperties: false,
        description: `More headers of the mail. ${headersRule}.`,
      },
    ),
  ),
  should_inline_css: maybe(flag('Whether CSS is written into the tags, for mail programs that need it.')),
  message_variation_id: variationId,
});
