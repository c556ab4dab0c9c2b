/** The messages of a schedule, one for each channel, and what cannot be sent. */
import type { Static, TObject } from '@sinclair/typebox';
import { isLargerJson } from '../../formats/json-size.ts';
import type { BodyRule, JsonObject } from '../../operation.ts';
import { Rejection } from '../../rejections/rejections.ts';
import { objectOf, optional } from '../../shape.ts';
import { isJsonObject, type Json } from '../../types.ts';
import { faultsOf, invalid, knownPushFault } from './channel-faults.ts';
import { contentCard, email, sms, webhook, whatsApp } from './channels.ts';
import { droidPush, iosPush, webPush } from './pushes.ts';
import { onlyKnown } from './recipients.ts';

const channels = {
  ios_push: iosPush,
  droid_push: droidPush,
  web_push: webPush,
  email,
  sms,
  whats_app: whatsApp,
  webhook,
  content_card: contentCard,
};

const messageChannels = Object.keys(channels) as (keyof typeof channels)[];

/** Starts of live activities are sent, counted and shown as messages are. */
export const sentChannels = [...messageChannels, 'live_activity'] as const;

const schemas: ReadonlyMap<string, TObject> = new Map(Object.entries(channels));

/** The names of the members of a message. */
export const messageMembers = (channel: string): string[] =>
  Object.keys(schemas.get(channel)?.properties ?? {});

export const messages = objectOf('The messages by channel; at least one.', optional(channels));

export type Messages = Static<typeof messages>;

const mostMessageBytes = 256 * 1024;

/** Before the schema, which has other words. */
export const refuseNoMessage: BodyRule = ({ messages: sent }) =>
  sent === undefined || (isJsonObject(sent) && Object.keys(sent).length === 0)
    ? new Rejection('NO_MESSAGE')
    : undefined;

/** Before the schema, which has other words: `faults` names the place. */
export const refusePushes: BodyRule = ({ messages: sent }) => {
  for (const [name, message] of Object.entries(isJsonObject(sent) ? sent : {})) {
    const fault = isJsonObject(message) ? knownPushFault(name, message) : undefined;
    if (fault) return fault;
  }
  return undefined;
};

/** After the schema. */
export const refuseMessages: BodyRule = ({ messages: sent }, known) => {
  if (!isJsonObject(sent)) return undefined;
  const other = Object.keys(sent).find((name) => !schemas.has(name));
  if (other !== undefined)
    return invalid(`messages.${other}`, `is not available: Roster sends ${messageChannels.join(', ')}`);
  if (isLargerJson(sent, mostMessageBytes)) return new Rejection('MESSAGES_TOO_LARGE');
  for (const [name, message] of Object.entries(sent)) {
    const fault = isJsonObject(message) ? faultsOf[name]?.(message, `messages.${name}`, known) : undefined;
    if (fault) return fault;
  }
  return undefined;
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
