/** GET /subscription/history: every change of consent of a person, as evidence for a customer or an authority. */
import { type Static, Type } from '@sinclair/typebox';
import { aliasPart, externalIdText } from '../../entries/identifiers.ts';
import { example, operation } from '../../operation.ts';
import {
  listOf,
  maybe,
  objectShape,
  oneOf,
  optional,
  plain,
  publishedKeyword,
  text,
  whole,
} from '../../shape.ts';
import { successAnswer } from '../answers.ts';
import { readRow, waitsForAccepted } from '../read-row.ts';
import { publishedPhone, subscriptionTag } from './common.ts';

export const mostHistory = 100;

const one = (description: string) => text(description, { minLength: 1, maxLength: 1000 });

const query = Type.Object(
  optional({
    external_id: externalIdText,
    alias_label: aliasPart('Label of an alias; stands beside `alias_name`.'),
    alias_name: aliasPart('Name of an alias.'),
    email: one('An email: its own history, independent of the people who have it.'),
    phone: text('A phone, E.164: its own history, independent of the people who have it.', {
      minLength: 1,
      maxLength: 1000,
      [publishedKeyword]: publishedPhone,
    }),
    service_id: one('Id that Roster gave the person.'),
    limit: whole('The most changes in one answer. Default: 100.', { minimum: 1, maximum: mostHistory }),
    cursor: text('`next_cursor` of the answer before.', {
      minLength: 1,
      maxLength: 255,
      [publishedKeyword]: { pattern: '^[A-Za-z0-9_-]+$' },
    }),
  }),
);

type State = 'opted_in' | 'subscribed' | 'unsubscribed';

const state = (description: string) =>
  plain<State | null>({
    type: ['string', 'null'],
    enum: ['opted_in', 'subscribed', 'unsubscribed', null],
    description,
  });

const change = objectShape('ConsentChange', 'One change.', {
  consent: oneOf(['email', 'push', 'subscription_group'], 'What the consent is to.'),
  subscription_group_id: maybe(text('Which group.')),
  from: state('The state before; `null`: none.'),
  to: state('The state from then on; `null`: it was removed.'),
  accepted_at: text('When the request was accepted, ISO 8601.'),
  request_id: text('The request that said it.'),
  ...optional({
    operation: text(
      'By which operation. `preference_center.submit` and `preference_center.unsubscribe`: by the person, on the page of a preference center or by the unsubscribe address of an email. `phone.stop` and `phone.start`: by the person, who answered STOP or START to a text message. Missing when nothing but the state is still known of the request.',
    ),
    preference_center_api_id: text(
      'Which preference center it was, when the person did it on its page; `default`: the default one.',
    ),
  }),
});

const answer = successAnswer('ConsentHistoryAnswer', 'The changes.', {
  changes: listOf(change, 'Newest first.'),
  next_cursor: maybe(text('There are older ones: send it as `cursor`.')),
});

export type HistoryAnswer = Static<typeof answer>;

export const subscriptionHistory = operation({
  ...readRow,
  id: 'subscription.history',
  fresh: true,
  path: '/subscription/history',
  tag: subscriptionTag,
  summary: 'Every change of consent of a person',
  description:
    'Consent to email and push, and of subscription groups: each change with the time of acceptance, the request and the operation, newest first. Statements that repeat the state are no changes. ' +
    'A state belongs to an email or phone, so it also changes when the person gets another one: such a change has the request that gave it, and no operation. The last 100 changes of each consent. Exactly one identifier. Nothing is kept of erased people, unless the setting `retention.keep_consent_proof` asks for it; ' +
    `then it is found by an identifier they had, and says nothing else about them. ${waitsForAccepted}`,
  request: { query },
  responses: { 200: answer },
  rejections: ['PERSON_UNKNOWN', 'NOT_ONE_IDENTIFIER', 'CURSOR_INVALID', 'PHONE_NOT_E164'],
  examples: [
    example('A person', {
      query: { external_id: 'ada', limit: 2 },
      200: {
        changes: [
          {
            consent: 'subscription_group',
            subscription_group_id: 'demo-news',
            from: 'subscribed',
            to: 'unsubscribed',
            accepted_at: '2026-01-31T12:00:00.000Z',
            request_id: 'rmigxmm5blc-4f0a9c',
            operation: 'subscription.status.set',
          },
          {
            consent: 'subscription_group',
            subscription_group_id: 'demo-news',
            from: null,
            to: 'subscribed',
            accepted_at: '2026-01-01T09:30:00.000Z',
            request_id: 'rmi0aaa5blc-99ac01',
            operation: 'users.track',
          },
        ],
        next_cursor: 'MTc2OTg',
      },
    }),
  ],
});
