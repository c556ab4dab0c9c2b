/** POST /messages/live_activity/register, /start and /update, GET /messages/live_activity/{activity_id}. */
import { type Static, Type } from '@sinclair/typebox';
import { isLargerJson } from '../formats/json-size.ts';
import { parseTime } from '../formats/time.ts';
import { type BodyRule, example, operation } from '../operation.ts';
import { Rejection } from '../rejections/rejections.ts';
import {
  anyObject,
  flag,
  label,
  listOf,
  maybe,
  objectOf,
  objectShape,
  oneOf,
  optional,
  plain,
  text,
} from '../shape.ts';
import { isJsonObject, type Json } from '../types.ts';
import { resultOrQueued, successAnswer } from './answers.ts';
import { appleAlert } from './messages/pushes.ts';
import {
  broadcastLimits,
  mostUsers,
  type Recipients,
  recipientMembers,
  tidyRecipients,
} from './messages/recipients.ts';
import { dispatchId, messagesTag } from './messages/schedules.ts';
import { readRow, unknownNames, writeRow } from './messaging-row.ts';
import { waitsForAccepted } from './read-row.ts';

const activityRow = { tag: messagesTag, dialect: 'activity' } as const;

const appOfActivity = label(
  'The app that shows the activity: one of the workspace, with `channels.ios_push`.',
);

const activityId = label('The name of the activity, as the app registered it.');

const invalidActivity = (message: string): Rejection => new Rejection('ACTIVITY_INVALID', { message });

const refuseApp: BodyRule = ({ app_id }, { apps }) =>
  typeof app_id === 'string' && !apps.has(app_id)
    ? invalidActivity('app_id must be an app of the workspace')
    : undefined;

const time = (description: string) => text(description, { maxLength: 64 });

const push = objectOf(
  'The push.',
  optional({
    alert: appleAlert,
    'content-available': flag('Sends it with priority 5 although it has an alert.'),
    relevance_score: Type.Number({
      minimum: 0,
      description: 'The relevance of the activity: it orders the activities of the app.',
    }),
  }),
);

/** As it stands, or in `ios_push`. */
const activityPush = plain<Static<typeof push> & { ios_push?: Static<typeof push> }>({
  type: 'object',
  properties: { ...push.properties, ios_push: push },
  description: 'A push that goes with it: in `ios_push`, or as it stands here.',
});

const contentState = anyObject('What the activity shows now, in the shape that the app has defined.');

const staleDate = time('From when on the content is marked as outdated, ISO 8601.');

/** What APNs takes in all. */
const mostBytes = 4096;

const refuseDatesAndSize: BodyRule = (body) => {
  const wrong = (['dismissal_date', 'stale_date'] as const).find(
    (name) => body[name] !== undefined && parseTime(String(body[name])) === undefined,
  );
  if (wrong !== undefined) return invalidActivity(`${wrong} must be a time in ISO 8601`);
  return isLargerJson(body as Json, mostBytes)
    ? invalidActivity('the request must have at most 4,096 bytes as JSON')
    : undefined;
};

const registration = Type.Object({
  app_id: appOfActivity,
  activity_id: activityId,
  ...optional({
    push_token: text('The token that ActivityKit gave the app for this activity, in hexadecimal.', {
      pattern: '^[0-9A-Fa-f]{32,200}$',
    }),
    channel_id: text(
      'Instead of a token: the id of a broadcast channel of the app, in base64 as APNs gave it. An update is one push to the channel then, and APNs brings it to all devices that listen. Needs the permission `messages.live_activity.update` too. Not in the hosted interface.',
      {
        pattern: '^([A-Za-z0-9+/]{4}){1,64}([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
        maxLength: 256,
      },
    ),
    channel_stores: flag(
      '`true` for a channel that was made to store (`roster channel broadcast create --store`): APNs keeps its newest update for 12 hours, for phones that are away. For another channel APNs refuses updates then. Not in the hosted interface.',
    ),
  }),
});

const refuseAddress: BodyRule = ({ push_token, channel_id, channel_stores }) => {
  if ((push_token === undefined) === (channel_id === undefined))
    return invalidActivity('exactly one is required: push_token or channel_id');
  return channel_stores !== undefined && channel_id === undefined
    ? invalidActivity('channel_stores goes with a channel_id')
    : undefined;
};

export const activityRegister = operation({
  ...writeRow,
  ...activityRow,
  id: 'messages.live_activity.register',
  path: '/messages/live_activity/register',
  summary: 'Register a device or broadcast channel that shows a live activity',
  description:
    'The app sends the push token that ActivityKit gave it for the activity. At most 100 devices show an activity: those that registered last. For a crowd, a server registers a broadcast channel of APNs (iOS 18) instead: `channel_id`. At most 10 channels belong to an activity, beside its devices: those that were registered last. A registration is forgotten 24 hours after the last registration or update: no activity lives longer than 12 hours. An ended activity that is registered again starts again.',
  request: { body: registration },
  rules: [refuseApp, refuseAddress],
  // A token is of the caller's own device; a channel leads to those of others.
  alsoNeeds: ({ channel_id }) => (channel_id === undefined ? undefined : 'messages.live_activity.update'),
  responses: resultOrQueued('ActivityRegistered', 'The device or channel gets the updates.', {}),
  rejections: ['ACTIVITY_INVALID', 'ACTIVITIES_FULL'],
  examples: [
    example('A device that shows a match', {
      body: {
        app_id: 'demo-app',
        activity_id: 'match-17',
        push_token: '80a1c3d5e7f90b2d4f6a8c0e1b3d5f7a9c0e2b4d6f8a0c1e3b5d7f9a0b2c4d6e',
      },
      201: {},
    }),
    example('A channel for a crowd', {
      body: { app_id: 'demo-app', activity_id: 'match-17', channel_id: 'dHN0LXNyY2gtY2hubA==' },
      201: {},
    }),
  ],
});

const { external_user_ids, user_aliases, segment_id, audience } = recipientMembers;

const start = Type.Object({
  app_id: appOfActivity,
  activity_id: activityId,
  activity_attributes_type: label('The type of the attributes, as the app names it.'),
  activity_attributes: anyObject('What does not change while the activity lasts. With Liquid.'),
  content_state: anyObject(
    'What the activity shows at first, in the shape that the app has defined. With Liquid.',
  ),
  notification: activityPush,
  ...optional({
    stale_date: staleDate,
    dismissal_date: time('When the activity is removed from the screen after its end, ISO 8601.'),
  }),
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
  responses: resultOrQueued('ActivityStarted', 'It is sent in a moment.', {
    dispatch_id: dispatchId,
    ...unknownNames,
  }),
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
      201: { dispatch_id: '4f1f6a3e5b0c4d2e9a7b8c6d5e4f3a2b' },
    }),
  ],
});

const update = Type.Object({
  app_id: appOfActivity,
  activity_id: activityId,
  content_state: contentState,
  ...optional({
    end_activity: flag('`true` ends it.'),
    dismissal_date: time(
      'When the ended activity is removed from the screen, ISO 8601. A time in the past removes it at once. Ignored without `end_activity`.',
    ),
    stale_date: staleDate,
    notification: activityPush,
  }),
});

const states = ['waiting', 'sent', 'refused', 'unknown', 'superseded'] as const;

const device = objectShape('ActivityDevice', 'What became of an update at one device.', {
  device: text('The last characters of its token, or of the id of the channel.'),
  channel: maybe(
    flag('`true`: it is a broadcast channel. `sent` tells that APNs took the update for all that listen.'),
  ),
  state: oneOf(states, '`superseded`: a later update, or the end, came first.'),
  reason: maybe(text('A code of docs/errors.md, with the status of APNs in brackets: `device_gone (400)`.')),
  id: maybe(text('Its id at APNs.')),
});

export const activityUpdate = operation({
  ...writeRow,
  ...activityRow,
  id: 'messages.live_activity.update',
  path: '/messages/live_activity/update',
  summary: 'Update or end a live activity',
  description:
    'Goes to every device and broadcast channel that is registered for the activity, by APNs, in the order in which updates were accepted; when several wait, only the newest is sent, and the others are `superseded`. An end wins over every update that was accepted before it, in whatever order they are applied. `GET /requests/{id}` tells under `answer` what became of it on each device, and under `reason` why it did not go to each of them: `superseded` when a later update or the end came first, `ignored:no_such_activity` when none has registered, `ignored:ended` when it was accepted after the end.',
  request: { body: update },
  rules: [refuseApp, refuseDatesAndSize],
  responses: resultOrQueued('ActivityUpdated', 'The update is sent in a moment.', {
    devices: maybe(listOf(device, 'What became of the update on each device; absent until that is known.')),
  }),
  rejections: ['ACTIVITY_INVALID'],
  examples: [
    example('A goal', {
      body: {
        app_id: 'demo-app',
        activity_id: 'match-17',
        content_state: { score: '1:0', minute: 17 },
        notification: { ios_push: { alert: { title: 'Goal', body: 'One to nil.' } } },
      },
      201: {},
    }),
    example('The end', {
      body: {
        app_id: 'demo-app',
        activity_id: 'match-17',
        content_state: { score: '1:0', minute: 90 },
        end_activity: true,
        dismissal_date: '2026-01-31T18:00:00Z',
      },
      201: {},
    }),
  ],
});

const activityQuery = Type.Object({ app_id: appOfActivity });

const lastUpdate = objectOf('The newest update; absent when there was none.', {
  request_id: text('The request that made it.'),
  accepted_at: text('When it was accepted, ISO 8601.'),
  content_state: contentState,
});

export const activityGet = operation({
  ...readRow,
  ...activityRow,
  id: 'messages.live_activity.get',
  fresh: true,
  path: '/messages/live_activity/{activity_id}',
  summary: 'Show a live activity',
  description: `Its devices, its newest update, and what became of this update on each device. ${waitsForAccepted}`,
  request: { params: Type.Object({ activity_id: activityId }), query: activityQuery },
  responses: {
    200: successAnswer('Activity', 'The live activity.', {
      activity_id: activityId,
      app_id: appOfActivity,
      state: oneOf(['active', 'ended'], 'Whether it has ended.'),
      update: maybe(lastUpdate),
      devices: listOf(device, 'The devices that show it; `waiting` before the first update.'),
    }),
  },
  rejections: ['ACTIVITY_UNKNOWN'],
  examples: [
    example('A match that one device shows', {
      params: { activity_id: 'match-17' },
      query: { app_id: 'demo-app' },
      200: {
        activity_id: 'match-17',
        app_id: 'demo-app',
        state: 'active',
        update: {
          request_id: 'rmigxmm5blc-4f0a9c',
          accepted_at: '2026-01-31T12:00:00.000Z',
          content_state: { score: '1:0', minute: 17 },
        },
        devices: [{ device: '...0b2c4d6e', state: 'sent', id: '6e0d3a1c-7a1d-8f3a-8c44-5f7f0d7f2b11' }],
      },
    }),
  ],
});
