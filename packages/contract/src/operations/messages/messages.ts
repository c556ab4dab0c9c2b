/** The messages of a schedule, one for each channel, and what cannot be sent. */
import { type Static, type TObject, Type } from '@sinclair/typebox';
import { isEmail } from '../../formats/email.ts';
import { isLargerJson } from '../../formats/json-size.ts';
import { parseTime } from '../../formats/time.ts';
import type { BodyRule, JsonObject } from '../../operation.ts';
import { Rejection } from '../../rejections.ts';
import { isJsonObject, type Json } from '../../types.ts';
import { onlyKnown } from './common.ts';
import { contentCard } from './content-card.ts';
import { email } from './email.ts';
import { webhook } from './webhook.ts';

const channels = {
  email: Type.Optional(email),
  webhook: Type.Optional(webhook),
  content_card: Type.Optional(contentCard),
};

const channelNames: readonly string[] = Object.keys(channels);
const schemas: ReadonlyMap<string, TObject> = new Map(Object.entries(channels));

export const messages = Type.Object(channels, { description: 'What is sent, by channel; at least one.' });

export type Messages = Static<typeof messages>;

const mostMessageBytes = 256 * 1024;

const invalid = (place: string, what: string): Rejection =>
  new Rejection('MESSAGES_INVALID', { message: `${place} ${what}` });

/** `Ada <ada@example.com>` */
const addressIn = (from: string): string => /<([^<>]*)>\s*$/.exec(from)?.[1] ?? from;

const emailFault = (
  { email_template_id, attachments, from, reply_to, bcc, app_id }: JsonObject,
  apps: ReadonlySet<string>,
) => {
  if (email_template_id !== undefined)
    return invalid('messages.email.email_template_id', 'is not available: send the body');
  if (attachments !== undefined)
    return invalid('messages.email.attachments', 'are not available: link to the file');
  if (typeof from === 'string' && !isEmail(addressIn(from)))
    return invalid('messages.email.from', 'must be an email, or a name with an email in angle brackets');
  if (typeof reply_to === 'string' && reply_to !== 'NO_REPLY_TO' && !isEmail(addressIn(reply_to)))
    return invalid('messages.email.reply_to', 'must be an email or NO_REPLY_TO');
  if (typeof bcc === 'string' && !isEmail(bcc)) return invalid('messages.email.bcc', 'must be an email');
  if (typeof app_id === 'string' && !apps.has(app_id))
    return invalid('messages.email.app_id', 'must be an app of the workspace');
  return undefined;
};

const isLiquid = (text: string): boolean => text.includes('{{') || text.includes('{%');

/** An address with Liquid is known when it is written. */
const webhookFault = ({ url }: JsonObject) => {
  if (typeof url !== 'string' || isLiquid(url)) return undefined;
  const { protocol } = URL.canParse(url) ? new URL(url) : {};
  return protocol === 'https:' || protocol === 'http:'
    ? undefined
    : invalid('messages.webhook.url', 'must be an address that begins with https:// or http://');
};

const cardFault = ({ type, image_url, time_to_live, expire_at }: JsonObject) => {
  if (type !== 'CLASSIC' && image_url === undefined)
    return invalid('messages.content_card.image_url', `is required for ${type}`);
  if (time_to_live !== undefined && expire_at !== undefined)
    return invalid('messages.content_card', 'must not have both time_to_live and expire_at');
  if (expire_at === undefined) return undefined;
  return parseTime(String(expire_at)) === undefined
    ? invalid('messages.content_card.expire_at', 'must be a time in ISO 8601')
    : undefined;
};

/** After the schema. */
export const refuseMessages: BodyRule = ({ messages: sent }, { apps }) => {
  if (!isJsonObject(sent)) return undefined;
  const names = Object.keys(sent);
  if (names.length === 0) return invalid('messages', `must have at least one of ${channelNames.join(', ')}`);
  const other = names.find((name) => !channelNames.includes(name));
  if (other !== undefined)
    return invalid(`messages.${other}`, `is not available: Roster sends ${channelNames.join(', ')}`);
  if (isLargerJson(sent, mostMessageBytes)) return new Rejection('MESSAGES_TOO_LARGE');
  const { email: mail, webhook: hook, content_card: card } = sent;
  return (
    (isJsonObject(mail) && emailFault(mail, apps)) ||
    (isJsonObject(hook) && webhookFault(hook)) ||
    (isJsonObject(card) && cardFault(card)) ||
    undefined
  );
};

const knownOf = (name: string, message: Json): Json => {
  const schema = schemas.get(name);
  return schema ? onlyKnown(schema, message) : message;
};

/** Members that no message has go no further. */
export const tidyMessages = (body: JsonObject): JsonObject => {
  const { messages: sent } = body;
  if (!isJsonObject(sent)) return body;
  const known = Object.entries(sent).flatMap(([name, message]) =>
    message === undefined ? [] : [[name, knownOf(name, message)] as const],
  );
  return { ...body, messages: Object.fromEntries(known) };
};
