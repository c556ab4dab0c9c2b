/**
 * How a provider signs its calls. Twilio: the address and the fields (https://www.twilio.com/docs/usage/security#validating-requests). Others:
 * the body, as Meta does (https://developers.facebook.com/docs/graph-api/webhooks/getting-started#event-notifications), alone or with what
 * `over` says; or a token that names its digest, as Vonage does (https://developer.vonage.com/en/messages/concepts/signed-webhooks).
 */
import { type Static, Type } from '@sinclair/typebox';

const text = Type.String();
const nothingElse = { additionalProperties: false };

/** What is signed, with places for `{body}`, `{sha256}` (of the body, as bytes), `{url}` and `{header:<name>}`. The body if it is missing. */
const over = Type.Optional(Type.String({ pattern: '\\{(body|sha256|url)\\}' }));

const twilio = Type.Object({ by: Type.Literal('twilio'), secret: text }, nothingElse);

/** By HMAC-SHA-256. */
const body = Type.Object(
  {
    by: Type.Literal('body'),
    secret: text,
    header: text,
    prefix: Type.Optional(text),
    encoding: Type.Optional(Type.Union([Type.Literal('hex'), Type.Literal('base64')])),
    over,
  },
  nothingElse,
);

/** `key`: the public one, its 32 bytes in base64. */
const ed25519 = Type.Object(
  { by: Type.Literal('ed25519'), key: Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' }), header: text, over },
  nothingElse,
);

/** A JSON Web Token by HMAC, whose claim `payload_hash` is the SHA-256 of the body in hex. */
const jwt = Type.Object(
  { by: Type.Literal('jwt'), secret: text, header: text, prefix: Type.Optional(text) },
  nothingElse,
);

export const signature = Type.Union([twilio, body, ed25519, jwt]);

export type Signature = Static<typeof signature>;
