/** POST /messages/live_activity/register and /update, GET /messages/live_activity/{activity_id}. */
import { type Static, Type } from '@sinclair/typebox';
import { example, operation } from '../../operation.ts';
import { flag, listOf, maybe, objectOf, objectShape, oneOf, text } from '../../shape.ts';
import { queuedAnswer, successAnswer } from '../answers.ts';
import { readRow, writeRow } from '../messaging-row.ts';
import {
  activityId,
  activityPush,
  activityRow,
  activityTime,
  appOfActivity,
  contentState,
  refuseApp,
  refuseDatesAndSize,
  staleDate,
} from './parts.ts';

const registration = Type.Object({
  app_id: appOfActivity,
  activity_id: activityId,
  push_token: text('The token that ActivityKit gave the app for this activity, in hexadecimal.', {
    pattern: '^[0-9A-Fa-f]{32,200}$',
  }),
});

export type ActivityRegistration = Static<typeof registration>;

export const activityRegister = operation({
  ...writeRow,
  ...activityRow,
  id: 'messages.live_activity.register',
  path: '/messages/live_activity/register',
  summary: 'Register a device that shows a live activity',
  description:
    'The app sends the push token that ActivityKit gave it for the activity. At most 100 devices show an activity: those that registered last. A registration is forgotten 24 hours after the last registration or update: no activity lives longer than 12 hours. An ended activity that is registered again starts again.',
  request: { body: registration },
  rules: [refuseApp],
  responses: {
    201: successAnswer('ActivityRegistered', 'The device gets the updates.', {}),
    202: queuedAnswer,
  },
  rejections: ['ACTIVITY_INVALID', 'ACTIVITIES_FULL'],
  examples: [
    example('A device that shows a match', {
      body: {
        app_id: 'demo-app',
        activity_id: 'match-17',
        push_token: '80a1c3d5e7f90b2d4f6a8c0e1b3d5f7a9c0e2b4d6f8a0c1e3b5d7f9a0b2c4d6e',
      },
      201: { message: 'success' },
    }),
  ],
});

const update = Type.Object({
  app_id: appOfActivity,
  activity_id: activityId,
  content_state: contentState,
  end_activity: maybe(flag('`true` ends it.')),
  dismissal_date: activityTime(
    'When the ended activity is removed from the screen, ISO 8601. A time in the past removes it at once. Ignored without `end_activity`.',
  ),
  stale_date: staleDate,
  notification: maybe(activityPush),
});

export type ActivityUpdate = Static<typeof update>;

const states = ['waiting', 'sent', 'refused', 'unknown', 'superseded'] as const;

const device = objectShape('ActivityDevice', 'What became of an update at one device.', {
  device: text('The last characters of its token.'),
  state: oneOf(states, '`superseded`: a later update came first.'),
  reason: maybe(text('Why, in the words of APNs.')),
  id: maybe(text('Its id at APNs.')),
});

export const activityUpdate = operation({
  ...writeRow,
  ...activityRow,
  id: 'messages.live_activity.update',
  path: '/messages/live_activity/update',
  summary: 'Update or end a live activity',
  description:
    'Goes to every device that registered the activity, by APNs, in the order in which updates were accepted; when several wait, only the newest is sent, and the others are `superseded`. `GET /requests/{id}` tells under `answer` what APNs said of each device, and under `reason` why nothing was sent: `ignored:no_such_activity` when none has registered, `ignored:ended` after the end.',
  request: { body: update },
  rules: [refuseApp, refuseDatesAndSize],
  responses: {
    201: successAnswer('ActivityUpdated', 'The update is sent in a moment.', {
      devices: maybe(listOf(device, 'What became of the update on each device; absent until that is known.')),
    }),
    202: queuedAnswer,
  },
  rejections: ['ACTIVITY_INVALID'],
  examples: [
    example('A goal', {
      body: {
        app_id: 'demo-app',
        activity_id: 'match-17',
        content_state: { score: '1:0', minute: 17 },
        notification: { ios_push: { alert: { title: 'Goal', body: 'One to nil.' } } },
      },
      201: { message: 'success' },
    }),
    example('The end', {
      body: {
        app_id: 'demo-app',
        activity_id: 'match-17',
        content_state: { score: '1:0', minute: 90 },
        end_activity: true,
        dismissal_date: '2026-01-31T18:00:00Z',
      },
      201: { message: 'success' },
    }),
  ],
});

const activityQuery = Type.Object({ app_id: appOfActivity });

export type ActivityQuery = Static<typeof activityQuery>;

const lastUpdate = objectOf('The newest update; absent when there was none.', {
  request_id: text('The request that made it.'),
  accepted_at: text('When it was accepted, ISO 8601.'),
  content_state: contentState,
});

export const activityGet = operation({
  ...readRow,
  ...activityRow,
  id: 'messages.live_activity.get',
  path: '/messages/live_activity/{activity_id}',
  summary: 'Show a live activity',
  description: 'Its devices, its newest update, and what became of this update on each device.',
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
        message: 'success',
      },
    }),
  ],
});
