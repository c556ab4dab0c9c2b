/** GET /subscription/status/get and GET /subscription/user/status. */
import { Type } from '@sinclair/typebox';
import { externalIdLength } from '../../entries/identifiers.ts';
import { example, operation } from '../../operation.ts';
import {
  count,
  listOf,
  maybe,
  objectOf,
  objectShape,
  oneOf,
  optional,
  plain,
  publishedKeyword,
  text,
  textOrNull,
  whole,
} from '../../shape.ts';
import { successAnswer } from '../answers.ts';
import { readRow, waitsForAccepted } from '../read-row.ts';
import { groupId, mostNames, publishedPhone, type ReadState, readState, subscriptionTag } from './common.ts';

export const mostUsers = 100;

const names = (description: string, length: object = { maxLength: 1000 }) =>
  listOf(
    text('One of them.', { minLength: 1, ...length }),
    `${description} At most 50: repeat the parameter, with or without \`[]\`.`,
    { maxItems: mostNames },
  );

const people = optional({
  external_id: names(
    'External ids, each at most 987 bytes. With them, `email` and `phone` are ignored.',
    externalIdLength,
  ),
  email: names('Emails.'),
  phone: names('Phone numbers, E.164.', { maxLength: 1000, [publishedKeyword]: publishedPhone }),
});

const row = { ...readRow, fresh: true, tag: subscriptionTag } as const;

const statusAnswer = successAnswer('SubscriptionStatusAnswer', 'The states.', {
  status: plain<{ [name: string]: ReadState }>({
    type: 'object',
    additionalProperties: readState('State of the person with this identifier.'),
    description: 'The states, by the identifiers that were sent.',
  }),
});

export const subscriptionStatusGet = operation({
  ...row,
  id: 'subscription.status.get',
  path: '/subscription/status/get',
  summary: 'The states of people in a subscription group',
  description: `${waitsForAccepted} \`unknown\`: no state was ever recorded, or no person has the external id. For an email or phone it is the last state recorded for it or for a person who has it.`,
  request: { query: Type.Object({ subscription_group_id: groupId, ...people }) },
  responses: { 200: statusAnswer },
  rejections: ['SUBSCRIPTION_GROUP_UNKNOWN', 'EMAIL_AND_PHONE', 'NOBODY_NAMED', 'PHONE_NOT_E164'],
  examples: [
    example('Three people', {
      query: { subscription_group_id: 'demo-news', external_id: ['ada', 'bob', 'eve'] },
      200: { status: { ada: 'Subscribed', bob: 'Unsubscribed', eve: 'unknown' } },
    }),
  ],
});

const groupsQuery = Type.Object({
  ...people,
  limit: maybe(whole('The most users in one answer. Default: 100.', { minimum: 1, maximum: mostUsers })),
  offset: maybe(whole('How many users to skip. Default: 0.', { minimum: 0, maximum: 1_000_000 })),
});

const userGroup = objectShape('UserSubscriptionGroup', 'A group in which a state was recorded.', {
  id: text('Id of the subscription group.'),
  name: text('Name of the group.'),
  channel: oneOf(['email', 'sms'], 'Its channel.'),
  status: readState('The state.'),
});

const userAnswer = successAnswer('UserSubscriptionsAnswer', 'The people and their groups.', {
  users: listOf(
    objectOf('One person; those who share an email stand by themselves.', {
      email: textOrNull('Email address.'),
      phone: textOrNull('Phone number.'),
      external_id: textOrNull('Id of the person in your own system.'),
      subscription_groups: listOf(userGroup, 'Groups with a recorded state.'),
    }),
    'The people, by their service ids.',
  ),
  total_count: count('How many there are in all.'),
});

export const subscriptionUserStatus = operation({
  ...row,
  id: 'subscription.user.status',
  path: '/subscription/user/status',
  permission: 'subscription.groups.get',
  summary: 'The subscription groups of people',
  description: `${waitsForAccepted} Only groups with a recorded state. Each person with the email or phone is listed separately.`,
  request: { query: groupsQuery },
  responses: { 200: userAnswer },
  rejections: ['EMAIL_AND_PHONE', 'NOBODY_NAMED', 'PHONE_NOT_E164'],
  examples: [
    example('One person', {
      query: { external_id: ['ada'] },
      200: {
        users: [
          {
            email: 'ada@example.com',
            phone: null,
            external_id: 'ada',
            subscription_groups: [
              { id: 'demo-news', name: 'News by email', channel: 'email', status: 'Subscribed' },
            ],
          },
        ],
        total_count: 1,
      },
    }),
  ],
});
