/** A webhook of a message. */
import { Type } from '@sinclair/typebox';
import { maybe, objectOf, oneOf, text } from '../../../shape.ts';
import { variationId } from '../common.ts';

/** RFC 9110 5.6.2. */
const headerName = "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$";

export const webhook = objectOf(
  'A request to a server. With a secret in the settings of an app it is signed by the rules of Standard Webhooks. Redirects are not followed.',
  {
    url: text(
      '`https://` or `http://`, with Liquid. Hosts in private networks are refused unless the workspace allows them.',
      {
        minLength: 8,
        maxLength: 2048,
      },
    ),
    request_method: oneOf(['POST', 'PUT', 'DELETE', 'GET'], 'The method.'),
    request_headers: maybe(
      Type.Record(
        Type.String({ pattern: headerName }),
        text('Its value, with Liquid.', { maxLength: 8192 }),
        {
          maxProperties: 50,
          additionalProperties: false,
          description: 'Headers of the request.',
        },
      ),
    ),
    body: maybe(text('The body, with Liquid.')),
    message_variation_id: variationId,
  },
);
