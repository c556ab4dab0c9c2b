/** POST /messages/live_activity/start. */
import { type Static, Type } from '@sinclair/typebox';
import { type BodyRule, example, operation } from '../../operation.ts';
import { anyObject } from '../../shape.ts';
import { isJsonObject } from '../../types.ts';
import { queuedAnswer, successAnswer } from '../answers.ts';
import {
  broadcastLimits,
  mostUsers,
  type Recipients,
  recipientMembers,
  tidyRecipients,
} from '../messages/recipients.ts';
import { dispatchId } from '../messages/schedules.ts';
import { unknownNames, writeRow } from '../messaging-row.ts';
import {
  activityId,
  activityPush,
  activityRow,
  activityTime,
  appOfActivity,
  attributesType,
  invalidActivity,
  refuseApp,
  refuseDatesAndSize,
  staleDate,
} from './parts.ts';

const { external_user_ids, user_aliases, segment_id, audience } = recipientMembers;

const start = Type.Object({
  app_id: appOfActivity,
  activity_id: activityId,
  activity_attributes_type: attributesType,
  activity_attributes: anyObject('What does not change while the activity lasts. With Liquid.'),
  content_state: anyObject(
    'What the activity shows at first, in the shape that the app has defined. With Liquid.',
  ),
  notification: activityPush,
  stale_date: staleDate,
  dismissal_date: activityTime('When the activity is removed from the screen after its end, ISO 8601.'),
  external_user_ids,
  user_aliases,
  segment_id,
  custom_audience: audience,
});

export type ActivityStart = Omit<Static<typeof start>, 'external_user_ids'> &
  Pick<Recipients, 'external_user_ids'>;

const refuseAlert: BodyRule = ({ notification }) => {
  const push = isJsonObject(notification) ? (notification.ios_push ?? notification) : undefined;
  const alert = isJsonObject(push) ? push.alert : undefined;
  return isJsonObject(alert) && alert.title !== undefined && alert.body !== undefined
    ? undefined
    : invalidActivity('notification.alert must have a title and a body');
};

/** One way of naming the people, so that nobody reaches a whole segment by mistake. */
const refuseTarget: BodyRule = (body) => {
  const {
    external_user_ids: ids = [],
    user_aliases: aliases = [],
    segment_id,
    custom_audience,
  } = body as unknown as ActivityStart;
  const users = ids.length + aliases.length;
  const ways = [users > 0, segment_id !== undefined, custom_audience !== undefined];
  if (ways.filter(Boolean).length !== 1)
    return invalidActivity(
      'exactly one is required: users (external_user_ids, user_aliases), segment_id or custom_audience',
    );
  return users > mostUsers
    ? invalidActivity(`external_user_ids and user_aliases must be at most ${mostUsers} together`)
    : undefined;
};

export const activityStart = operation({
  ...writeRow,
  ...activityRow,
  id: 'messages.live_activity.start',
  path: '/messages/live_activity/start',
  summary: 'Start a live activity on the devices of people',
  description:
    'Goes by APNs to the devices that have a token for starting activities of this type: an element of `push_tokens` in `/users/track` with `activity_attributes_type`. Only people who exist and did not unsubscribe from pushes get it, at once, in quiet hours too. `GET /sends/{dispatch_id}` tells what became of it, person by person. To one audience or segment 10 times a minute, to all of them 250 times, messages included. An activity that has begun is updated once the app has registered it.',
  request: { body: start },
  rules: [refuseApp, refuseDatesAndSize, refuseAlert, refuseTarget],
  tidy: tidyRecipients,
  moreLimits: ({ custom_audience, ...body }) =>
    broadcastLimits({ ...body, ...(custom_audience !== undefined && { audience: custom_audience }) }),
  responses: {
    201: successAnswer('ActivityStarted', 'It is sent in a moment.', {
      dispatch_id: dispatchId,
      ...unknownNames,
    }),
    202: queuedAnswer,
  },
  rejections: [
    'ACTIVITY_INVALID',
    'AUDIENCE_INVALID',
    'SEGMENT_UNKNOWN',
    'MESSAGE_LIQUID_INVALID',
    'MESSAGE_BLOCK_UNKNOWN',
    'MESSAGE_CENTER_UNKNOWN',
    'MESSAGES_INVALID',
    'SCHEDULES_FULL',
  ],
  examples: [
    example('A match begins', {
      body: {
        app_id: 'demo-app',
        activity_id: 'match-17',
        activity_attributes_type: 'MatchAttributes',
        activity_attributes: { activity_id: 'match-17', home: 'Ada FC', away: 'Grace United' },
        content_state: { score: '0:0', minute: 0 },
        notification: { alert: { title: 'Kick-off', body: 'Ada FC against Grace United.' } },
        external_user_ids: ['ada'],
      },
      201: { dispatch_id: '4f1f6a3e5b0c4d2e9a7b8c6d5e4f3a2b', message: 'success' },
    }),
  ],
});
