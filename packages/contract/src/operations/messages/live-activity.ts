/** POST /messages/live_activity/register and /update. */
import { type Static, Type } from '@sinclair/typebox';
import { operation } from '../../operation.ts';
import { shape, text } from '../../shape.ts';
import { success } from '../messaging/common.ts';
import { queuedAnswer } from '../track/sync.ts';
import {
  activityId,
  activityPush,
  activityTime,
  appOfActivity,
  refuseApp,
  refuseDatesAndSize,
  activityRow as row,
  staleDate,
  tidyActivity,
} from './activity-parts.ts';
import { anyObject } from './push.ts';

const name = activityId('The name of the activity, as the app registered it.');

const registration = Type.Object({
  app_id: appOfActivity,
  activity_id: name,
  push_token: text('The token that ActivityKit gave the app for this activity, in hexadecimal.', {
    pattern: '^[0-9A-Fa-f]{32,200}$',
  }),
});

export type ActivityRegistration = Static<typeof registration>;

export const activityRegister = operation({
  ...row,
  id: 'messages.live_activity.register',
  path: '/messages/live_activity/register',
  permission: 'messages.live_activity.register',
  summary: 'Register a device that shows a live activity',
  description:
    'The app sends the push token that ActivityKit gave it for the activity. Up to 100 devices show an activity; of more the latest count. Forgotten 24 hours after the last registration or update: no activity lives longer than 12 hours.',
  request: { body: registration },
  rules: [refuseApp],
  responses: {
    201: shape(
      'ActivityRegistered',
      Type.Object({ message: success }, { description: 'The device gets the updates.' }),
    ),
    202: queuedAnswer,
  },
  rejections: ['ACTIVITY_INVALID', 'ACTIVITIES_FULL'],
  examples: [
    {
      title: 'A device that shows a match',
      request: {
        body: {
          app_id: 'demo-app',
          activity_id: 'match-17',
          push_token: '80a1c3d5e7f90b2d4f6a8c0e1b3d5f7a9c0e2b4d6f8a0c1e3b5d7f9a0b2c4d6e',
        },
      },
      response: { status: 201, body: { message: 'success' } },
    },
  ],
});

const update = Type.Object({
  app_id: appOfActivity,
  activity_id: name,
  content_state: anyObject('What the activity shows now, in the shape that the app has defined.'),
  end_activity: Type.Optional(Type.Boolean({ description: '`true` ends it.' })),
  dismissal_date: activityTime(
    'When the ended activity goes from the screen, ISO 8601; in the past: at once. Without `end_activity` it does not count.',
  ),
  stale_date: staleDate,
  notification: Type.Optional(activityPush),
});

export type ActivityUpdate = Static<typeof update>;

const device = Type.Object(
  {
    device: text('The end of its token.'),
    state: text('`sent`, `refused`, `unknown`, or `overtaken` by a later update.'),
    reason: Type.Optional(text('Why, in the words of APNs.')),
    id: Type.Optional(text('Its id at APNs.')),
  },
  { description: 'What became of the update at one device.' },
);

export const activityUpdate = operation({
  ...row,
  id: 'messages.live_activity.update',
  path: '/messages/live_activity/update',
  permission: 'messages.live_activity.update',
  summary: 'Update or end a live activity',
  description:
    'Goes to every device that registered the activity, by APNs, in the order in which updates were accepted; when several wait the latest wins. `GET /requests/{id}` tells under `answer` what became of it at each device; no device is there when none has registered.',
  request: { body: update },
  rules: [refuseApp, refuseDatesAndSize],
  tidy: tidyActivity,
  responses: {
    201: shape(
      'ActivityUpdated',
      Type.Object(
        {
          message: success,
          devices: Type.Optional(
            Type.Array(device, { description: 'Where the update was sent; not known at once.' }),
          ),
        },
        { description: 'The update is sent in a moment.' },
      ),
    ),
    202: queuedAnswer,
  },
  rejections: ['ACTIVITY_INVALID'],
  examples: [
    {
      title: 'A goal',
      request: {
        body: {
          app_id: 'demo-app',
          activity_id: 'match-17',
          content_state: { score: '1:0', minute: 17 },
          notification: { alert: { title: 'Goal', body: 'One to nil.' } },
        },
      },
      response: { status: 201, body: { message: 'success' } },
    },
    {
      title: 'The end',
      request: {
        body: {
          app_id: 'demo-app',
          activity_id: 'match-17',
          content_state: { score: '1:0', minute: 90 },
          end_activity: true,
          dismissal_date: '2026-01-31T18:00:00Z',
        },
      },
      response: { status: 201, body: { message: 'success' } },
    },
  ],
});
