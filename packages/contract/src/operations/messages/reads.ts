/** What is planned and what was sent: GET /messages/scheduled_broadcasts, /messages/schedule/{id}, /sends/{dispatch_id} and /content_cards/{external_id}. */
import { Type } from '@sinclair/typebox';
import { example, operation } from '../../operation.ts';
import {
  anyObject,
  count,
  flag,
  label,
  listOf,
  maybe,
  objectShape,
  oneOf,
  text,
  textOrNull,
} from '../../shape.ts';
import { successAnswer } from '../answers.ts';
import { readRow } from '../messaging-row.ts';
import { waitsForAccepted } from '../read-row.ts';
import { sentChannels } from './messages.ts';
import { messagesTag, scheduleId } from './schedules.ts';

const row = { ...readRow, tag: messagesTag } as const;

const exampleId = '1b6a2c5e-90d1-8f3a-8c44-5f7f0d7f2b11';
const exampleDispatch = '4f1f6a3e5b0c4d2e9a7b8c6d5e4f3a2b';

const sent = (description: string) => maybe(text(description, { maxLength: 255 }));

const broadcast = objectShape('ScheduledBroadcast', 'A schedule that waits.', {
  name: text('Its name, made of its id.'),
  id: text('Id of the schedule.'),
  type: text('`Campaign`.'),
  tags: listOf(text('A tag.'), 'Empty.'),
  next_send_time: text('When it is sent, ISO 8601; without a zone for local and optimal times.'),
  schedule_type: text('`local_time_zones`, `intelligent_delivery`, or the time zone of the workspace.'),
});

export const scheduledBroadcasts = operation({
  ...row,
  id: 'messages.schedule_broadcasts',
  path: '/messages/scheduled_broadcasts',
  summary: 'The broadcasts that are planned',
  description: 'Schedules with `broadcast`, from now until a time: the next 1,000.',
  request: { query: Type.Object({ end_time: sent('Until when, ISO 8601.') }) },
  responses: {
    200: successAnswer('ScheduledBroadcasts', 'What is planned.', {
      scheduled_broadcasts: listOf(broadcast, 'The next one first.'),
    }),
  },
  rejections: ['END_TIME_INVALID'],
  examples: [
    example('Until the end of the year', {
      query: { end_time: '2036-12-31T00:00:00Z' },
      200: {
        scheduled_broadcasts: [
          {
            name: `Schedule ${exampleId}`,
            id: exampleId,
            type: 'Campaign',
            tags: [],
            next_send_time: '2036-12-30T09:00:00.000Z',
            schedule_type: 'UTC',
          },
        ],
      },
    }),
  ],
});

const sendCounts = objectShape('SendCounts', 'How many recipients are in each state.', {
  waiting: count('It is not their time yet, or it is tried again.'),
  sending: count('It is being sent.'),
  sent: count('The provider accepted it, or Roster stored it.'),
  refused: count('The provider refused it.'),
  skipped: count('It was not sent to this person: see the reason of the recipient.'),
  unknown: count('It may have been sent, or not.'),
});

const results = Type.Record(Type.String(), sendCounts, {
  description: 'By channel, how many recipients are in each state; empty before the first people are due.',
});

const scheduleState = oneOf(
  ['waiting', 'sending', 'sent', 'missed', 'cancelled', 'stopped', 'failed'],
  'Where it stands. `missed`: it could not be sent at its time, and afterwards it was too late. `stopped`: it was deleted while it was being sent. `failed`: `reason` tells why it was given up.',
);

const details = successAnswer('ScheduleDetails', 'The schedule.', {
  schedule_id: scheduleId,
  dispatch_id: text('`GET /sends/{dispatch_id}` tells what becomes of each recipient.'),
  state: scheduleState,
  reason: maybe(text('Why it failed.')),
  next_send_time: textOrNull('When the first people get it, while it waits.'),
  schedule: anyObject('As it was sent.'),
  recipients: anyObject('As they were sent.'),
  messages: anyObject('As they were sent.'),
  created_at: text('When it was created, ISO 8601.'),
  changed_at: text('When it was last changed, ISO 8601.'),
  results,
});

const noCounts = { waiting: 0, sending: 0, sent: 0, refused: 0, skipped: 0, unknown: 0 };

export const scheduleGet = operation({
  ...row,
  id: 'messages.schedule.get',
  path: '/messages/schedule/{id}',
  summary: 'A schedule, and what became of it',
  description: 'Kept until 90 days after its end. Shows the audience as it was sent, not the people in it.',
  request: { params: Type.Object({ id: scheduleId }) },
  responses: { 200: details },
  rejections: ['SCHEDULE_UNKNOWN'],
  examples: [
    example('One that was sent', {
      params: { id: exampleId },
      200: {
        schedule_id: exampleId,
        dispatch_id: exampleDispatch,
        state: 'sent',
        next_send_time: null,
        schedule: { time: '2026-01-31T12:00:00Z' },
        recipients: { external_user_ids: ['ada', 'grace'] },
        messages: {
          webhook: { url: 'https://example.com/hooks/sale', request_method: 'POST', body: '{}' },
        },
        created_at: '2026-01-30T12:00:00.000Z',
        changed_at: '2026-01-30T12:00:00.000Z',
        results: { webhook: { ...noCounts, sent: 2 } },
      },
    }),
  ],
});

const states = ['waiting', 'sending', 'sent', 'refused', 'skipped', 'unknown'] as const;

const sendsQuery = Type.Object({
  channel: maybe(oneOf(sentChannels, 'Only recipients of this channel.')),
  state: maybe(oneOf(states, 'Only recipients in this state.')),
  cursor: sent('The `cursor` of the answer before, for the next page.'),
});

const recipient = objectShape('SendRecipient', 'One recipient.', {
  external_id: textOrNull('Of the person, or the listed one that is `skipped` under its name.'),
  service_id: textOrNull('Of the person. `null`: a listed name without a person of its own.'),
  user_alias: maybe(anyObject('The listed alias that is `skipped` under its name.')),
  channel: text('The channel.'),
  state: text('One of waiting, sending, sent, refused, skipped, unknown.'),
  reason: maybe(
    text(
      'Why it was refused or skipped, is unknown, or waits: `planned` for a moment of its own, for the end of `quiet_hours`, or for another try. The codes are in docs/errors.md; the number of the provider follows in brackets: `credentials_refused (401)`.',
    ),
  ),
  provider_id: maybe(text('Its id at the provider.')),
  stored: maybe(flag('`true`: it is `sent`, but there is no provider. Nothing left: Roster stored it.')),
  at: text('When the state began, ISO 8601.'),
  due: maybe(text('When the next attempt is, while it waits.')),
  tries: maybe(count('How often it was tried, while it waits.')),
});

export const sendsGet = operation({
  ...row,
  id: 'messages.sends.get',
  path: '/sends/{dispatch_id}',
  summary: 'What became of each recipient',
  description:
    'At most 100 recipients a page. With `channel` or `state` a page may have fewer, or none: go on with `cursor` until the answer has no `cursor`. Before its time, and when it was cancelled or missed, a dispatch has no recipients. Kept as long as the outcomes of requests.',
  request: {
    params: Type.Object({ dispatch_id: label('Of the schedule.') }),
    query: sendsQuery,
  },
  responses: {
    200: successAnswer('Sends', 'The recipients.', {
      schedule_id: maybe(scheduleId),
      state: maybe(scheduleState),
      reason: maybe(text('Why it failed.')),
      results,
      recipients: listOf(recipient, 'In the order of channels and service ids.'),
      cursor: maybe(text('Send it to get the next page. Absent on the last page.')),
    }),
  },
  rejections: ['DISPATCH_UNKNOWN', 'SENDS_CURSOR_INVALID'],
  examples: [
    example('Who was left out', {
      params: { dispatch_id: exampleDispatch },
      query: { state: 'skipped' },
      200: {
        schedule_id: exampleId,
        state: 'sent',
        results: { email: { ...noCounts, sent: 1, skipped: 1 } },
        recipients: [
          {
            external_id: 'grace',
            service_id: '0mlgx6m5blc000000000',
            channel: 'email',
            state: 'skipped',
            reason: 'unsubscribed',
            at: '2026-01-31T12:00:00.000Z',
          },
        ],
      },
    }),
  ],
});

const card = objectShape('ContentCard', 'A card of the person.', {
  id: text('Id of the card.'),
  created_at: text('When it was sent, ISO 8601.'),
  expires_at: text('Until when it is shown, ISO 8601.'),
  card: anyObject('The card, with its texts rendered.'),
});

export const contentCardsGet = operation({
  ...row,
  id: 'content_cards.get',
  fresh: true,
  path: '/content_cards/{external_id}',
  summary: 'The content cards of a person',
  description: `Those of the last 100 cards that are still shown, at most 50: pinned cards first, then the newest. ${waitsForAccepted}`,
  request: { params: Type.Object({ external_id: text('The person.', { minLength: 1, maxLength: 987 }) }) },
  responses: {
    200: successAnswer('ContentCards', 'What the app shows.', { content_cards: listOf(card, 'The cards.') }),
  },
  rejections: [],
  examples: [
    example('One card', {
      params: { external_id: 'ada' },
      200: {
        content_cards: [
          {
            id: `${exampleDispatch}/content_card/0mlgx6m5blc000000000`,
            created_at: '2026-01-31T12:00:00.000Z',
            expires_at: '2026-03-02T12:00:00.000Z',
            card: { type: 'CLASSIC', title: 'Winter sale', description: 'Begins today' },
          },
        ],
      },
    }),
  ],
});
