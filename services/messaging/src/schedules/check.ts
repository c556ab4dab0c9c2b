/** What a schedule is checked for before it is stored: its time, its audience, and the Liquid of its texts. */
import { AudienceFault } from '@roster/audience';
import {
  type AcceptedRequest,
  badTime,
  type Messages,
  momentsOf,
  parseTime,
  type Recipients,
  Rejection,
  refusal,
  type Schedule,
} from '@roster/contract';
import { expiryOf } from '@roster/store';
import { namesOfTexts } from '../content/includes.ts';
import { limits } from '../content/space.ts';
import { unknownInTexts } from '../content/unknown-names.ts';
import type { Tools } from '../handler.ts';
import { messageInvalid } from '../refusals.ts';
import { type Content, liquidIn } from '../sending/texts.ts';

const mostTexts = 200;
const messagesInvalid = refusal('MESSAGES_INVALID');

/** What the texts name: content blocks and preference centers. */
export const namedIn = async (
  { liquidOf, store }: Pick<Tools, 'liquidOf' | 'store'>,
  ws: string,
  content: object,
  path: readonly string[] = [],
) => {
  const texts = liquidIn(content as Content, path).map((one) => ({ ...one, place: one.path.join('.') }));
  if (texts.length > mostTexts)
    throw messagesInvalid(`messages has more than ${mostTexts} texts with Liquid`);
  const { all, ...named } = await namesOfTexts(liquidOf(ws), texts, messageInvalid);
  if (named.includes.length > limits.includes)
    throw messagesInvalid(`messages include more than ${limits.includes} Content Blocks`);
  return { ...named, told: await unknownInTexts(store, ws, all) };
};

export const assertEmail = async ({ emailFault }: Tools, ws: string, { email }: Messages) => {
  const fault = email && (await emailFault(ws, email));
  if (fault !== undefined) throw messagesInvalid(`messages.email: ${fault}`);
};

/** Of a campaign each message is one of its variations. */
export const assertVariations = ({ campaign_id }: Recipients, messages: Messages): void => {
  if (campaign_id === undefined) return;
  const [channel] =
    Object.entries(messages).find(([, message]) => message.message_variation_id === undefined) ?? [];
  if (channel !== undefined)
    throw new Rejection('MESSAGE_VARIANT_UNSPECIFIED', {
      faults: [{ reason: `messages.${channel}.message_variation_id is required with campaign_id` }],
    });
};

export const assertAudience = async (
  { store, settingsOf }: Pick<Tools, 'store' | 'settingsOf'>,
  ws: string,
  { audience, segment_id }: Recipients,
  path = 'audience',
): Promise<void> => {
  if (audience !== undefined)
    try {
      await store.audiences.check(audience, path);
    } catch (error) {
      if (error instanceof AudienceFault) throw new Rejection('AUDIENCE_INVALID', { message: error.message });
      throw error;
    }
  if (segment_id === undefined) return;
  const { segments } = await settingsOf(ws);
  if (!segments.some(({ id }) => id === segment_id)) throw new Rejection('SEGMENT_UNKNOWN');
};

const minute = 60_000;

/** So long a content card can be read. */
export const mostCardDays = 30;

/** A card that should be shown for longer would be gone before. */
export const assertCard = ({ content_card: card }: Messages, due: Date): void => {
  const expires = card?.expire_at === undefined ? undefined : parseTime(card.expire_at);
  if (expires !== undefined && expires > expiryOf(due, mostCardDays).getTime())
    throw messagesInvalid(
      `messages.content_card.expire_at must be at most ${mostCardDays} days after the card is sent`,
    );
};

/** A clock that is behind, or a request that was under way. */
const mayBePast = 5 * minute;
const mostAhead = 20 * 366 * 24 * 60 * minute;

/** When the first people get it: never before the request. */
export const dueFrom = (schedule: Schedule, { at }: Pick<AcceptedRequest, 'at'>): Date => {
  const moments = momentsOf(schedule);
  if (typeof moments === 'string') throw badTime(moments);
  const now = at / 1000;
  if (moments.last < now - mayBePast)
    throw badTime(
      schedule.in_local_time || schedule.at_optimal_time
        ? 'schedule.time has already passed in every time zone'
        : 'schedule.time is in the past',
    );
  if (moments.first > now + mostAhead) throw badTime('schedule.time is more than 20 years away');
  return new Date(Math.max(moments.first, Math.floor(now)));
};
