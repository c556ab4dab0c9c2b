/** api.md: POST /subscription/status/set and POST /v2/subscription/status/set. Both are handed on in the shape of the second. */
import { Type } from '@sinclair/typebox';
import { externalIdLength } from '../../entries/identifiers.ts';
import { isEmail } from '../../formats/email.ts';
import { normalizePhone } from '../../formats/phone.ts';
import { type BodyRule, example, type JsonObject, operation } from '../../operation.ts';
import { texts } from '../../people.ts';
import { Rejection, type RejectionCode } from '../../rejections/rejections.ts';
import { listOf, maybe, objectShape, oneOf, plain, publishedKeyword } from '../../shape.ts';
import { isJsonObject, type Json } from '../../types.ts';
import { queuedAnswer, successAnswer } from '../answers.ts';
import {
  FOUR_MB,
  groupId,
  isE164,
  isName,
  listed,
  mostNames,
  publishedPhone,
  subscriptionTag,
} from './common.ts';

const mostGroups = 50;

type Group = JsonObject;

/** What the names are called in each of the two: `external_id` and `external_ids`. */
interface Words {
  external_ids: string;
  emails: string;
  phones: string;
  /** The place of a group in the body. */
  place(index: number): string;
}

const first: Words = { external_ids: 'external_id', emails: 'email', phones: 'phone', place: () => '' };
const second: Words = {
  external_ids: 'external_ids',
  emails: 'emails',
  phones: 'phones',
  place: (index) => `subscription_groups[${index}].`,
};

type Check = (
  group: Group,
  words: Words,
  at: string,
  settings: Parameters<BodyRule>[1],
) => Rejection | undefined;

const refused = (code: RejectionCode, message?: string): Rejection =>
  new Rejection(code, message === undefined ? {} : { message });

const namesOf = (group: Group, words: Words, kind: 'external_ids' | 'emails' | 'phones'): Json[] =>
  listed(group[words[kind]]);

const kinds = ['external_ids', 'emails', 'phones'] as const;

const hasGoodIds: Check = (group, words) =>
  namesOf(group, words, 'external_ids').every(isName) ? undefined : refused('EXTERNAL_IDS_INVALID');

const namesFew: Check = (group, words) =>
  kinds.some((kind) => namesOf(group, words, kind).length > mostNames)
    ? refused('TOO_MANY_NAMES')
    : undefined;

const namesOneContactKind: Check = (group, words) =>
  namesOf(group, words, 'emails').length > 0 && namesOf(group, words, 'phones').length > 0
    ? refused('EMAIL_AND_PHONE')
    : undefined;

const namesPeople: Check = (group, words, at) =>
  kinds.some((kind) => namesOf(group, words, kind).length > 0)
    ? undefined
    : refused(
        'NOBODY_NAMED',
        `${at === '' ? '' : `${at.slice(0, -1)}: `}one of '${words.external_ids}', '${words.emails}' or '${words.phones}' is required`,
      );

const fitsChannel: Check = (group, words, _at, { groups }) => {
  const channel = groups.get(String(group.subscription_group_id));
  if (channel === undefined) return refused('SUBSCRIPTION_GROUP_UNKNOWN');
  if (channel === 'sms' && namesOf(group, words, 'emails').length > 0)
    return refused(
      'CHANNEL_MISMATCH',
      `An SMS subscription group takes '${words.external_ids}' or '${words.phones}'`,
    );
  if (channel === 'email' && namesOf(group, words, 'phones').length > 0)
    return refused(
      'CHANNEL_MISMATCH',
      `An email subscription group takes '${words.emails}' or '${words.external_ids}'`,
    );
  return undefined;
};

const hasGoodContacts: Check = (group, words, at) => {
  const wrongEmail = namesOf(group, words, 'emails').findIndex((one) => !isEmail(String(one)));
  if (wrongEmail >= 0)
    return refused('EMAIL_INVALID', `${at}${words.emails}[${wrongEmail}] is not a valid email address`);
  const wrongPhone = namesOf(group, words, 'phones').findIndex((one) => !isE164(String(one)));
  return wrongPhone >= 0
    ? refused('PHONE_NOT_E164', `${at}${words.phones}[${wrongPhone}] is not in the E.164 format`)
    : undefined;
};

const groupsIn = (body: JsonObject): Group[] => {
  const { subscription_groups: groups } = body;
  return Array.isArray(groups)
    ? groups.filter((one): one is { [name: string]: Json } => isJsonObject(one))
    : [];
};

const each =
  (words: Words, groups: (body: JsonObject) => Group[], checks: readonly Check[]): BodyRule =>
  (body, settings) => {
    for (const [index, group] of groups(body).entries()) {
      for (const check of checks) {
        const rejection = check(group, words, words.place(index), settings);
        if (rejection) return rejection;
      }
    }
    return undefined;
  };

const beforeShape = [hasGoodIds, namesFew];
const afterShape = [namesOneContactKind, namesPeople, fitsChannel, hasGoodContacts];

const itself = (body: JsonObject): Group[] => [body];

const state = oneOf(['subscribed', 'unsubscribed'], '`subscribed` or `unsubscribed`.');

const doubleOptIn = maybe(
  plain<boolean | null>({
    type: ['boolean', 'null'],
    description: 'Accepted for SMS groups; nothing is sent, the state is set at once.',
  }),
);

const oneOrMany = (description: string, rule: object = {}) =>
  maybe(
    plain<string | string[] | null>({
      type: ['string', 'array', 'null'],
      maxLength: 1000,
      items: { type: 'string', maxLength: 1000, description: 'One of them.', [publishedKeyword]: rule },
      [publishedKeyword]: { ...rule, maxItems: mostNames },
      description: `${description} One or a list of at most 50.`,
    }),
  );

const notBlank = { pattern: '\\S' };

const ids = (description: string) =>
  maybe(
    plain<string | number | (string | number)[] | null>({
      type: ['string', 'integer', 'array', 'null'],
      ...externalIdLength,
      items: {
        type: ['string', 'integer'],
        ...externalIdLength,
        description: 'One of them.',
        [publishedKeyword]: notBlank,
      },
      [publishedKeyword]: { ...notBlank, maxItems: mostNames },
      description: `${description} One or a list of at most 50, each at most 987 bytes. A whole number is taken as its text.`,
    }),
  );

const shared = 'Each person with the email gets the state.';
const phones = 'Phone numbers, E.164; each person with the phone gets the state.';

const group = objectShape(
  'SubscriptionGroupUpdate',
  'A state, and who gets it: external ids, and emails or phones.',
  {
    subscription_group_id: groupId,
    subscription_state: state,
    external_ids: ids('External ids; unknown ones are ignored.'),
    emails: oneOrMany(`Emails. ${shared}`),
    phones: oneOrMany(phones, publishedPhone),
    use_double_opt_in_logic: doubleOptIn,
  },
);

/** As the worker reads it, of either of the two. What only the page of a preference center says, no caller can send: `tidy` leaves it out. */
export interface SubscriptionSetGroup {
  /** The page only: without it, the state is about all emails to the person. */
  subscription_group_id?: string;
  /** `opted_in`: the page only, and not of a group. */
  subscription_state: 'opted_in' | 'subscribed' | 'unsubscribed';
  external_ids?: string[];
  /** The page only. */
  service_ids?: string[];
  emails?: string[];
  phones?: string[];
}

/** What a person did themselves, on the page of a preference center. */
export const pageActions = ['preference_center.submit', 'preference_center.unsubscribe'] as const;

export interface SubscriptionSet {
  subscription_groups: SubscriptionSetGroup[];
  /** The page only: what the person did, and on the page of which preference center. */
  page?: { action: (typeof pageActions)[number]; preference_center_api_id: string };
}

const tidyGroup = (sent: Group, words: Words): Group => {
  const texts = (kind: (typeof kinds)[number]): string[] => namesOf(sent, words, kind).map(String);
  const { subscription_group_id, subscription_state } = sent;
  const tidied: Group = { subscription_group_id, subscription_state };
  const named: [string, string[]][] = [
    ['external_ids', texts('external_ids')],
    ['emails', texts('emails').map((email) => email.trim())],
    ['phones', texts('phones').map((phone) => normalizePhone(phone) ?? phone)],
  ];
  for (const [name, names] of named) if (names.length > 0) tidied[name] = names;
  return tidied;
};

const tidied =
  (words: Words, groups: (body: JsonObject) => Group[]) =>
  (body: JsonObject): JsonObject => ({
    subscription_groups: groups(body).map((one) => tidyGroup(one, words)) as Json,
  });

const sized =
  (words: Words, groups: (body: JsonObject) => Group[]) =>
  (body: JsonObject): number =>
    groups(body).reduce(
      (sum, one) => sum + kinds.reduce((more, kind) => more + namesOf(one, words, kind).length, 0),
      0,
    );

const answer = successAnswer('SubscriptionAnswer', 'The states have been set.', {});

const row = {
  method: 'POST',
  permission: 'subscription.status.set',
  tag: subscriptionTag,
  kind: 'write',
  answer: 'result',
  queue: 'subscription',
  success: 201,
  bodyLimit: FOUR_MB,
  limit: { pool: 'subscription.status.set', requests: 5_000, seconds: 60 },
  people: {
    within: 'subscription_groups',
    lists: {
      external_ids: texts('external_id'),
      service_ids: texts('service_id'),
      emails: texts('email'),
      phones: texts('phone'),
    },
  },
  responses: { 201: answer, 202: queuedAnswer },
  rejections: [
    'SUBSCRIPTION_GROUP_UNKNOWN',
    'EXTERNAL_IDS_INVALID',
    'EMAIL_AND_PHONE',
    'NOBODY_NAMED',
    'TOO_MANY_NAMES',
    'CHANNEL_MISMATCH',
    'EMAIL_INVALID',
    'PHONE_NOT_E164',
  ],
} as const;

const rules =
  'The state counts from the moment of acceptance: for one person and group, the request that was accepted last wins, here and by `/users/track`, in whatever order requests are applied. ' +
  'A state belongs to the email or phone: each person who has it gets the state, also people who get it later. With an external id the state belongs to the email of that person too, or, for an SMS group, to the phone. For an email or phone that no person has, `unsubscribed` is kept, and other states are kept for 30 days. ' +
  'Takes effect after every `/users/track` request that was accepted before it, and has taken effect when it is answered. `GET /requests/{id}` tells what became of each name.';

const unknownGroup = { message: 'Invalid subscription group ID', code: 'SUBSCRIPTION_GROUP_UNKNOWN' };

export const subscriptionStatusSet = operation({
  ...row,
  id: 'subscription.status.set',
  path: '/subscription/status/set',
  summary: 'Set the state of people in a subscription group',
  description: `${rules} An SMS group takes \`external_id\` or \`phone\`, an email group \`email\` or \`external_id\`.`,
  request: {
    body: Type.Object({
      subscription_group_id: groupId,
      subscription_state: state,
      external_id: ids('External ids; unknown ones are ignored.'),
      email: oneOrMany(`Emails. ${shared}`),
      phone: oneOrMany(phones, publishedPhone),
      use_double_opt_in_logic: doubleOptIn,
    }),
  },
  before: [each(first, itself, beforeShape)],
  rules: [each(first, itself, afterShape)],
  size: sized(first, itself),
  tidy: tidied(first, itself),
  examples: [
    example('Two people', {
      body: {
        subscription_group_id: 'demo-news',
        subscription_state: 'unsubscribed',
        external_id: ['ada', 'bob'],
      },
      201: { message: 'success' },
    }),
    example('A group that is not there', {
      body: { subscription_group_id: 'unknown', subscription_state: 'subscribed', external_id: 'ada' },
      400: unknownGroup,
    }),
  ],
});

const tooManyGroups: BodyRule = ({ subscription_groups: groups }) =>
  Array.isArray(groups) && groups.length > mostGroups ? refused('TOO_MANY_SUBSCRIPTION_GROUPS') : undefined;

export const subscriptionStatusSetV2 = operation({
  ...row,
  id: 'subscription.status.set.v2',
  path: '/v2/subscription/status/set',
  summary: 'Set the state of people in subscription groups',
  description: `${rules} Up to 50 objects, each for one group. An SMS group takes \`external_ids\` or \`phones\`, an email group \`emails\` or \`external_ids\`. When one object is refused, none is applied.`,
  request: {
    body: Type.Object({
      subscription_groups: listOf(group, 'At most 50.', {
        minItems: 1,
        [publishedKeyword]: { maxItems: mostGroups },
      }),
    }),
  },
  before: [tooManyGroups, each(second, groupsIn, beforeShape)],
  rules: [each(second, groupsIn, afterShape)],
  size: sized(second, groupsIn),
  tidy: tidied(second, groupsIn),
  rejections: [...row.rejections, 'TOO_MANY_SUBSCRIPTION_GROUPS'],
  examples: [
    example('By external id and by email', {
      body: {
        subscription_groups: [
          {
            subscription_group_id: 'demo-news',
            subscription_state: 'subscribed',
            external_ids: ['ada'],
            emails: ['bob@example.com'],
          },
        ],
      },
      201: { message: 'success' },
    }),
    example('A blank id', {
      body: {
        subscription_groups: [
          {
            subscription_group_id: 'demo-news',
            subscription_state: 'subscribed',
            external_ids: ['ada', ''],
          },
        ],
      },
      400: {
        message: 'The value provided for the external_ids field is not a valid ID array.',
        code: 'EXTERNAL_IDS_INVALID',
      },
    }),
  ],
});
