/** What cannot be sent, channel by channel: rules that the schemas cannot say. */
import { didYouMean } from '../../formats/distance.ts';
import { isLargerJson } from '../../formats/json-size.ts';
import { isLiquid } from '../../formats/liquid.ts';
import { addressIn, addressRule, mailboxIn, mailboxRule } from '../../formats/mailbox.ts';
import { parseTime } from '../../formats/time.ts';
import type { JsonObject, JudgeSettings } from '../../operation.ts';
import { Rejection } from '../../rejections/rejections.ts';
import { isJsonObject, type Json } from '../../types.ts';
import { noReply } from './channels.ts';
import { emailHeaderFault } from './email-headers.ts';

export const invalid = (place: string, what: string): Rejection =>
  new Rejection('MESSAGES_INVALID', { message: `${place} ${what}` });

type Known = Pick<JudgeSettings, 'apps' | 'groups'>;

/** After the schema. `place`: where the message stands in the body. */
type Fault = (message: JsonObject, place: string, known: Known) => Rejection | undefined;

const unknownApp = (place: string, { app_id }: JsonObject, { apps }: Known) =>
  typeof app_id === 'string' && !apps.has(app_id)
    ? invalid(`${place}.app_id`, `must be an app of the workspace${didYouMean(app_id, [...apps])}`)
    : undefined;

const headerFault = (place: string, { headers }: JsonObject): Rejection | undefined => {
  for (const [name, value] of Object.entries(isJsonObject(headers) ? headers : {})) {
    const what = emailHeaderFault(name, String(value));
    if (what !== undefined) return invalid(`${place}.headers.${name}`, what);
  }
  return undefined;
};

const email: Fault = (message, place, known) => {
  const { email_template_id, attachments, from, reply_to, bcc } = message;
  if (email_template_id !== undefined)
    return invalid(`${place}.email_template_id`, 'is not available: send the body');
  if (attachments !== undefined)
    return invalid(`${place}.attachments`, 'are not available: link to the file');
  if (typeof from === 'string' && !mailboxIn(from)) return invalid(`${place}.from`, mailboxRule);
  if (typeof reply_to === 'string' && reply_to !== noReply && !mailboxIn(reply_to))
    return invalid(`${place}.reply_to`, `${mailboxRule}; or ${noReply}`);
  if (typeof bcc === 'string' && addressIn(bcc) === undefined) return invalid(`${place}.bcc`, addressRule);
  return headerFault(place, message) ?? unknownApp(place, message, known);
};

/** An address with Liquid is known when it is written. */
const webhook: Fault = ({ url }, place) => {
  if (typeof url !== 'string' || isLiquid(url)) return undefined;
  const { protocol } = URL.canParse(url) ? new URL(url) : {};
  return protocol === 'https:' || protocol === 'http:'
    ? undefined
    : invalid(`${place}.url`, 'must be an address that begins with https:// or http://');
};

const wrongTime = (place: string, time: JsonObject[string]) =>
  time !== undefined && !isLiquid(String(time)) && parseTime(String(time)) === undefined
    ? invalid(place, 'must be a time in ISO 8601')
    : undefined;

const contentCard: Fault = ({ type, image_url, time_to_live, expire_at }, place) => {
  if (type !== 'CLASSIC' && image_url === undefined)
    return invalid(`${place}.image_url`, `is required for ${type}`);
  if (time_to_live !== undefined && expire_at !== undefined)
    return invalid(place, 'must not have both time_to_live and expire_at');
  if (expire_at === undefined) return undefined;
  return parseTime(String(expire_at)) === undefined
    ? invalid(`${place}.expire_at`, 'must be a time in ISO 8601')
    : undefined;
};

const tooLarge = (place: string, message: JsonObject, bytes: number) =>
  isLargerJson(message as Json, bytes)
    ? invalid(place, `must have at most ${bytes.toLocaleString('en')} bytes as JSON`)
    : undefined;

/** Pushes whose faults clients know by a sentence (field-facts 1.4), and their bytes as JSON. */
const knownPushes: ReadonlyMap<string, { most: number; sentence: string }> = new Map([
  ['ios_push', { most: 1912, sentence: 'Apple Push Length Exceeded' }],
  ['droid_push', { most: 4000, sentence: 'Android Push Length Exceeded' }],
]);

const inSentence = (message: string, reason: string): Rejection =>
  new Rejection('MESSAGES_INVALID', { message, faults: [{ reason }] });

export const knownPushFault = (name: string, message: JsonObject): Rejection | undefined => {
  const known = knownPushes.get(name);
  if (!known) return undefined;
  const { extra } = message;
  if (extra !== undefined && !isJsonObject(extra))
    return inSentence('Invalid Extra Push Payload', `messages.${name}.extra must be an object`);
  const large = tooLarge(`messages.${name}`, message, known.most);
  return large && inSentence(known.sentence, large.message);
};

/** Platforms and Roster keep something of their own there. */
const reserved = (place: string, { extra }: JsonObject, names: RegExp) => {
  const name = Object.keys(isJsonObject(extra) ? extra : {}).find((one) => names.test(one));
  return name === undefined ? undefined : invalid(`${place}.extra.${name}`, 'is a reserved name');
};

const withoutUri = (place: string, { buttons }: JsonObject) => {
  const at = (Array.isArray(buttons) ? buttons : []).findIndex(
    (button) =>
      isJsonObject(button) &&
      (button.action === 'URI' || button.action === 'DEEP_LINK') &&
      button.uri === undefined,
  );
  return at < 0 ? undefined : invalid(`${place}.buttons[${at}].uri`, 'is required for this action');
};

const iosPush: Fault = (message, place) => {
  const { alert, asset_url, asset_file_type, collapse_id } = message;
  if (alert === undefined && message['content-available'] !== true)
    return invalid(`${place}.alert`, 'is required unless content-available is true');
  if ((asset_url === undefined) !== (asset_file_type === undefined))
    return invalid(place, 'must have both asset_url and asset_file_type, or none of them');
  if (typeof collapse_id === 'string' && Buffer.byteLength(collapse_id) > 64)
    return invalid(`${place}.collapse_id`, 'must have at most 64 bytes');
  return (
    reserved(place, message, /^(aps|roster)$/) ??
    wrongTime(`${place}.expiry`, message.expiry) ??
    withoutUri(place, message)
  );
};

const droidPush: Fault = (message, place) => {
  const { alert, title, send_to_sync } = message;
  if (send_to_sync === true && (alert !== undefined || title !== undefined))
    return invalid(place, 'must not have alert or title with send_to_sync');
  if (send_to_sync !== true && alert === undefined) return invalid(`${place}.alert`, 'is required');
  if (send_to_sync !== true && title === undefined) return invalid(`${place}.title`, 'is required');
  return (
    reserved(place, message, /^(from|message_type|gcm.*|google.*|roster_.*)$/) ?? withoutUri(place, message)
  );
};

const webPush: Fault = (message, place) => withoutUri(place, message) ?? tooLarge(place, message, 3900);

const toPhone: Fault = (message, place, known) => {
  const { subscription_group_id: group, link_shortening_enabled, user_click_tracking_enabled } = message;
  if (known.groups.get(String(group)) !== 'sms')
    return invalid(
      `${place}.subscription_group_id`,
      'must be a subscription group of the workspace with the channel sms',
    );
  if (link_shortening_enabled === true)
    return invalid(`${place}.link_shortening_enabled`, 'is not available: send the link as it should be');
  if (user_click_tracking_enabled === true)
    return invalid(`${place}.user_click_tracking_enabled`, 'is not available');
  return unknownApp(place, message, known);
};

const isBeyond53Bits = (value: Json | undefined): boolean =>
  typeof value === 'bigint' || (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER);

const holdsBeyond53Bits = (value: Json | undefined): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(holdsBeyond53Bits)
    : isBeyond53Bits(value);

/** With such numbers a JSON text costs up to twelve times as much, and it is written for each person. Pushes are smaller anyway. */
const mostWithLong = 16 * 1024;

const whatsApp: Fault = (message, place, known) =>
  toPhone(message, place, known) ??
  (holdsBeyond53Bits(message.message)
    ? tooLarge(`${place}, with whole numbers beyond 2^53,`, message, mostWithLong)
    : undefined);

export const faultsOf: Readonly<Record<string, Fault>> = {
  ios_push: iosPush,
  droid_push: droidPush,
  web_push: webPush,
  email,
  sms: toPhone,
  whats_app: whatsApp,
  webhook,
  content_card: contentCard,
};
