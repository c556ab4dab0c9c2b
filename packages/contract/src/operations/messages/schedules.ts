/** POST /messages/send, and /messages/schedule/create, /update and /delete. */
import { type Static, type TObject, Type } from '@sinclair/typebox';
import { example, type JsonObject, operation } from '../../operation.ts';
import { label, optional, text } from '../../shape.ts';
import { resultOrQueued } from '../answers.ts';
import { unknownNames, writeRow } from '../messaging-row.ts';
import { messages, refuseMessages, refuseNoMessage, refusePushes, tidyMessages } from './messages.ts';
import {
  broadcastLimits,
  listedMessages,
  type Recipients,
  recipientMembers,
  refuseNoRecipients,
  refuseRecipients,
  tidyRecipients,
} from './recipients.ts';
import { refuseTime, schedule } from './time.ts';
import { refuseTypos } from './typos.ts';

export const messagesTag = 'Messages';

export const scheduleId = label('Id of the schedule.');

export const dispatchId = text(
  '`GET /sends/{dispatch_id}` tells what becomes of each recipient. 32 hexadecimal digits.',
);

const row = { ...writeRow, tag: messagesTag } as const;

/** What sending now and sending at a time have in common. */
const sendingRow = {
  ...row,
  rules: [refuseRecipients, refuseMessages],
  tidy: (body: JsonObject) => tidyMessages(tidyRecipients(body)),
  moreLimits: broadcastLimits,
  size: listedMessages,
} as const;

const messageRejections = [
  'NO_MESSAGE',
  'MESSAGES_INVALID',
  'MESSAGES_TOO_LARGE',
  'MESSAGE_LIQUID_INVALID',
  'MESSAGE_BLOCK_UNKNOWN',
  'MESSAGE_CENTER_UNKNOWN',
] as const;

const recipientRejections = [
  'NO_RECIPIENTS',
  'MESSAGE_VARIANT_UNSPECIFIED',
  'SCHEDULE_RECIPIENTS_INVALID',
  'AUDIENCE_INVALID',
  'SEGMENT_UNKNOWN',
  'SCHEDULES_FULL',
] as const;

/** As it was accepted: external ids are texts. */
type Sent<Schema extends TObject> = Omit<Static<Schema>, 'external_user_ids'> &
  Pick<Recipients, 'external_user_ids'>;

const sending = Type.Object({ ...recipientMembers, messages });

export type NewSending = Sent<typeof sending>;

export const messagesSend = operation({
  ...sendingRow,
  id: 'messages.send',
  path: '/messages/send',
  summary: 'Send messages now',
  description:
    'Sends to listed people, a segment or an audience: to the same audience at most 10 times a minute, to all audiences together 250 times. Every request that was accepted before is applied first: a person who unsubscribed a moment ago gets nothing. `GET /sends/{dispatch_id}` tells what became of each recipient.',
  request: { body: sending },
  before: [refuseTypos, refuseNoRecipients, refuseNoMessage, refusePushes],
  responses: resultOrQueued('MessagesSent', 'They are sent in a moment.', {
    dispatch_id: dispatchId,
    ...unknownNames,
  }),
  rejections: [...messageRejections, ...recipientRejections],
  examples: [
    example('A push to a person', {
      body: {
        external_user_ids: ['ada'],
        messages: { ios_push: { alert: `Hello {{\${first_name} | default: "there"}}` } },
      },
      201: { dispatch_id: '4f1f6a3e5b0c4d2e9a7b8c6d5e4f3a2d' },
    }),
  ],
});

const newSchedule = Type.Object({ ...recipientMembers, schedule, messages });

export type NewSchedule = Sent<typeof newSchedule>;

const exampleId = '1b6a2c5e-90d1-8f3a-8c44-5f7f0d7f2b11';

const aMail = {
  app_id: 'demo-app',
  from: 'Example Shop <news@example.com>',
  subject: `Hello {{\${first_name} | default: "there"}}`,
  body: '<p>The winter sale begins today.</p>',
};

export const scheduleCreate = operation({
  ...sendingRow,
  id: 'messages.schedule.create',
  path: '/messages/schedule/create',
  summary: 'Send messages at a time',
  description:
    'Sends to listed people, a segment or an audience (to the same audience at most 10 times a minute, to all audiences together 250 times), at one moment or at a time of day in the time zone of each person. Texts are Liquid with the attributes of the person; `{% abort_message("reason") %}` leaves the person out. The audience is evaluated, and consent is checked, when the messages are sent. Keep the `schedule_id`: you need it to change the schedule and to read what became of it. With the `dispatch_id` you read what became of each recipient.',
  request: { body: newSchedule },
  before: [refuseTypos, refuseNoRecipients, refuseNoMessage, refusePushes, refuseTime],
  responses: resultOrQueued('ScheduleCreated', 'The schedule waits for its time.', {
    dispatch_id: dispatchId,
    schedule_id: scheduleId,
    ...unknownNames,
  }),
  rejections: ['SCHEDULE_TIME_INVALID', ...messageRejections, ...recipientRejections],
  examples: [
    example('An email to two people', {
      body: {
        external_user_ids: ['ada'],
        user_aliases: [{ alias_label: 'shop', alias_name: 'grace' }],
        schedule: { time: '2036-12-31T09:00:00Z' },
        messages: { email: aMail },
      },
      201: {
        dispatch_id: '4f1f6a3e5b0c4d2e9a7b8c6d5e4f3a2b',
        schedule_id: exampleId,
      },
    }),
    example('A webhook for everybody in an audience', {
      body: {
        broadcast: true,
        audience: {
          custom_attribute: { custom_attribute_name: 'plan', comparison: 'equals', value: 'gold' },
        },
        schedule: { time: '2036-12-31T09:00:00', in_local_time: true },
        messages: {
          webhook: {
            url: 'https://example.com/hooks/sale',
            request_method: 'POST',
            request_headers: { 'Content-Type': 'application/json' },
            body: `{"user":"{{\${user_id}}}"}`,
          },
        },
      },
      201: {
        dispatch_id: '4f1f6a3e5b0c4d2e9a7b8c6d5e4f3a2c',
        schedule_id: '1b6a2c5e-90d1-8f3a-8c44-5f7f0d7f2b12',
      },
    }),
  ],
});

export const scheduleUpdate = operation({
  ...row,
  id: 'messages.schedule.update',
  path: '/messages/schedule/update',
  summary: 'Change a schedule that waits',
  description:
    '`schedule` and `messages` each replace what was there as a whole. Once the first people are due, a change is refused.',
  request: { body: Type.Object({ schedule_id: scheduleId, ...optional({ schedule, messages }) }) },
  before: [
    refuseTypos,
    ({ schedule: time, messages: sent }, settings) =>
      time === undefined ? refuseNoMessage({ messages: sent }, settings) : undefined,
    refusePushes,
    refuseTime,
  ],
  rules: [refuseMessages],
  tidy: tidyMessages,
  responses: resultOrQueued('ScheduleUpdated', 'The schedule is changed.', unknownNames),
  rejections: [
    'SCHEDULE_UNKNOWN',
    'SCHEDULE_OVER',
    'SCHEDULE_OVERTAKEN',
    'SCHEDULE_TIME_INVALID',
    'MESSAGE_VARIANT_UNSPECIFIED',
    ...messageRejections,
  ],
  examples: [
    example('Another time', {
      body: { schedule_id: exampleId, schedule: { time: '2036-12-31T10:00:00Z' } },
      201: {},
    }),
  ],
});

export const scheduleDelete = operation({
  ...row,
  id: 'messages.schedule.delete',
  path: '/messages/schedule/delete',
  summary: 'Cancel a schedule, or stop it',
  description:
    'Before the first people are due, the schedule is cancelled and nothing is sent. While it is being sent, it stops: a message that is on its way at that moment is still delivered, and people who wait are `skipped` with the reason `stopped`.',
  request: { body: Type.Object({ schedule_id: scheduleId }) },
  responses: resultOrQueued('ScheduleDeleted', 'The schedule is cancelled or stopped.', {}),
  rejections: ['SCHEDULE_UNKNOWN', 'SCHEDULE_OVER'],
  examples: [example('A schedule that waits', { body: { schedule_id: exampleId }, 201: {} })],
});
