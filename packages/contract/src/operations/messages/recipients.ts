/** Who gets the messages of a schedule. */
import { createHash } from 'node:crypto';
import { type Static, type TObject, Type } from '@sinclair/typebox';
import { externalId, userAlias } from '../../entries/identifiers.ts';
import { stringifyExact } from '../../formats/exact-json.ts';
import type { BodyRule, JsonObject, MoreLimit } from '../../operation.ts';
import { Rejection } from '../../rejections/rejections.ts';
import { anyObject, flag, label, listOf, oneOf, optional } from '../../shape.ts';
import { isJsonObject, type Json } from '../../types.ts';

/** Of each way of naming them. */
export const mostUsers = 50;

export const recipientMembers = optional({
  broadcast: flag('Has to be `true` when no users are listed, so that nobody sends to all by mistake.'),
  external_user_ids: listOf(
    externalId,
    'People by external id. An id that no person has is a recipient `skipped: unknown`.',
    {
      maxItems: mostUsers,
    },
  ),
  user_aliases: listOf(userAlias, 'People by alias, in addition to `external_user_ids`.', {
    maxItems: mostUsers,
  }),
  segment_id: label('A segment of the workspace. With listed users, only those of them who are in it.'),
  audience: anyObject(
    'Filters joined by AND and OR, like a segment. They are evaluated when the messages are sent.',
  ),
  recipient_subscription_state: oneOf(
    ['opted_in', 'subscribed', 'all'],
    'Who gets emails. Default: `subscribed`, everybody who did not unsubscribe.',
  ),
  override_messaging_limits: flag('When true, these messages ignore frequency caps.'),
  campaign_id: label('For your own reports.'),
  send_id: label('For your own reports.'),
});

const recipients = Type.Object(recipientMembers);

/** As they were accepted: external ids are texts. */
export type Recipients = Omit<Static<typeof recipients>, 'external_user_ids'> & {
  external_user_ids?: string[];
};

const unclear = (message: string): Rejection => new Rejection('SCHEDULE_RECIPIENTS_INVALID', { message });

const names = ['external_user_ids', 'user_aliases', 'segment_id', 'audience'] as const;

/** Before the schema. */
export const refuseNoRecipients: BodyRule = (body) =>
  names.every((name) => body[name] === undefined || (Array.isArray(body[name]) && body[name].length === 0))
    ? new Rejection('NO_RECIPIENTS')
    : undefined;

const usersIn = ({ external_user_ids, user_aliases }: Recipients): number =>
  (external_user_ids?.length ?? 0) + (user_aliases?.length ?? 0);

/** After the schema. */
export const refuseRecipients: BodyRule = (body) => {
  const { broadcast } = body as Recipients;
  const users = usersIn(body as Recipients);
  if (users > 0 && broadcast) return unclear('broadcast must not be true when users are listed');
  return users === 0 && !broadcast ? unclear('broadcast must be true when no users are listed') : undefined;
};

/** Each of them is work, and nothing later asks their price; reading an audience has a price of its own. */
export const listedMessages = (body: JsonObject): number =>
  Math.max(1, usersIn(body as Recipients) * Object.keys(body.messages ?? {}).length);

/** Of messages that go to an audience and not to listed users: field-facts 1.5. */
const broadcasts = { pool: 'broadcasts', requests: 250, seconds: 60 } as const;
const broadcastsOfOne = { pool: 'broadcasts_to_one_audience', requests: 10, seconds: 60 } as const;

/** Of accepted recipients. */
export const broadcastLimits = (body: JsonObject): readonly MoreLimit[] => {
  const { segment_id, audience } = body as Recipients;
  if (usersIn(body as Recipients) > 0) return [];
  const of = createHash('sha256')
    .update(stringifyExact([segment_id, audience]))
    .digest('base64url');
  return [{ ...broadcastsOfOne, of }, broadcasts];
};

/** Without the members that the schema does not name. */
export const onlyKnown = ({ properties }: TObject, sent: Json): Json =>
  isJsonObject(sent)
    ? Object.fromEntries(
        Object.entries(sent).flatMap(([name, value]) =>
          value !== undefined && Object.hasOwn(properties, name) ? [[name, value] as const] : [],
        ),
      )
    : sent;

/** External ids as texts, and aliases with nothing else beside them. */
export const tidyRecipients = (body: JsonObject): JsonObject => {
  const { external_user_ids: ids, user_aliases: aliases } = body;
  return {
    ...body,
    ...(Array.isArray(ids) && { external_user_ids: ids.map(String) }),
    ...(Array.isArray(aliases) && {
      user_aliases: aliases.map((one) => onlyKnown(userAlias, one)),
    }),
  };
};

/** The members of a body that say who gets it. */
export const recipientsIn = (body: Recipients): Recipients =>
  Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(recipientMembers, name)));
