/** api.md: POST /subscription/status/set and POST /v2/subscription/status/set. Both are handed on in the shape of the second. */
import { Type } from '@sinclair/typebox';
import { externalIdLength } from '../../entries/identifiers.ts';
import { isEmail } from '../../formats/email.ts';
import { normalizePhone } from '../../formats/phone.ts';
import { type BodyRule, example, type JsonObject, operation } from '../../operation.ts';
import { texts } from '../../people.ts';
import { Rejection, refusal } from '../../rejections/rejections.ts';
import { booleanOrNull, listOf, objectShape, oneOf, optional, plain, publishedKeyword } from '../../shape.ts';
import { isJsonObject, type Json } from '../../types.ts';
import { resultOrQueued } from '../answers.ts';
import { refusedAs } from '../examples.ts';
import { groupId, isE164, isName, listed, mostNames, publishedPhone, subscriptionTag } from './common.ts';

const mostGroups = 50;

const kinds = ['external_ids', 'emails', 'phones'] as const;
type Kind = (typeof kinds)[number];

/** What the names are called in one of the two, `external_id` or `external_ids`, and where its groups stand. */
interface Form extends Record<Kind, string> {
  groupsIn(body: JsonObject): JsonObject[];
  /** The place of a group in the body. */
  place(index: number): string;
}

const first: Form = {
  external_ids: 'external_id',
  emails: 'email',
  phones: 'phone',
  groupsIn: (body) => [body],
  place: () => '',
};

const second: Form = {
  external_ids: 'external_ids',
  emails: 'emails',
  phones: 'phones',
  groupsIn: ({ subscription_groups: groups }) =>
    Array.isArray(groups) ? groups.filter((one): one is { [name: string]: Json } => isJsonObject(one)) : [],
  place: (index) => `subscription_groups[${index}].`,
};

type Check = (
  group: JsonObject,
  form: Form,
  at: string,
  settings: Parameters<BodyRule>[1],
) => Rejection | undefined;

const namesOf = (group: JsonObject, form: Form, kind: Kind): Json[] => listed(group[form[kind]]);

const hasGoodIds: Check = (group, form) =>
  namesOf(group, form, 'external_ids').every(isName) ? undefined : new Rejection('EXTERNAL_IDS_INVALID');

const namesFew: Check = (group, form) =>
  kinds.some((kind) => namesOf(group, form, kind).length > mostNames)
    ? new Rejection('TOO_MANY_NAMES')
    : undefined;

const namesOneContactKind: Check = (group, form) =>
  namesOf(group, form, 'emails').length > 0 && namesOf(group, form, 'phones').length > 0
    ? new Rejection('EMAIL_AND_PHONE')
    : undefined;

const namesPeople: Check = (group, form, at) => {
  if (kinds.some((kind) => namesOf(group, form, kind).length > 0)) return undefined;
  const demand = `one of '${form.external_ids}', '${form.emails}' or '${form.phones}' is required`;
  return refusal('NOBODY_NAMED')(at === '' ? demand : `${at.slice(0, -1)}: ${demand}`);
};

const fitsChannel: Check = (group, form, _at, { groups }) => {
  const channel = groups.get(String(group.subscription_group_id));
  if (channel === undefined) return new Rejection('SUBSCRIPTION_GROUP_UNKNOWN');
  const [other, demand] =
    channel === 'sms'
      ? (['emails', `An SMS subscription group takes '${form.external_ids}' or '${form.phones}'`] as const)
      : (['phones', `An email subscription group takes '${form.emails}' or '${form.external_ids}'`] as const);
  return namesOf(group, form, other).length > 0 ? refusal('CHANNEL_MISMATCH')(demand) : undefined;
};

const hasGoodContacts: Check = (group, form, at) => {
  const wrongEmail = namesOf(group, form, 'emails').findIndex((one) => !isEmail(String(one)));
  if (wrongEmail >= 0)
    return refusal('EMAIL_INVALID')(`${at}${form.emails}[${wrongEmail}] is not a valid email address`);
  const wrongPhone = namesOf(group, form, 'phones').findIndex((one) => !isE164(String(one)));
  return wrongPhone >= 0
    ? refusal('PHONE_NOT_E164')(`${at}${form.phones}[${wrongPhone}] is not in the E.164 format`)
    : undefined;
};

const each =
  (form: Form, checks: readonly Check[]): BodyRule =>
  (body, settings) => {
    for (const [index, group] of form.groupsIn(body).entries()) {
      for (const check of checks) {
        const rejection = check(group, form, form.place(index), settings);
        if (rejection) return rejection;
      }
    }
    return undefined;
  };

const tidyGroup = (group: JsonObject, form: Form): JsonObject => {
  const texts = (kind: Kind): string[] => namesOf(group, form, kind).map(String);
  const { subscription_group_id, subscription_state } = group;
  const named = {
    external_ids: texts('external_ids'),
    emails: texts('emails').map((email) => email.trim()),
    phones: texts('phones').map((phone) => normalizePhone(phone) ?? phone),
  };
  const given = Object.entries(named).filter(([, names]) => names.length > 0);
  return { subscription_group_id, subscription_state, ...Object.fromEntries(given) };
};

/** How a body in this form is judged. */
const judgedAs = (form: Form, ...early: BodyRule[]) => ({
  before: [...early, each(form, [hasGoodIds, namesFew])],
  rules: [each(form, [namesOneContactKind, namesPeople, fitsChannel, hasGoodContacts])],
  size: (body: JsonObject): number =>
    form.groupsIn(body).flatMap((group) => kinds.flatMap((kind) => namesOf(group, form, kind))).length,
  tidy: (body: JsonObject): JsonObject => ({
    subscription_groups: form.groupsIn(body).map((group) => tidyGroup(group, form)) as Json,
  }),
});

const state = oneOf(['subscribed', 'unsubscribed'], '`subscribed` or `unsubscribed`.');

const use_double_opt_in_logic = booleanOrNull(
  'Accepted for SMS groups; nothing is sent, the state is set at once.',
);

const oneOrMany = <One>(type: string | string[], length: object, rule: object, description: string) =>
  plain<One | One[] | null>({
    type: [type, 'array', 'null'].flat(),
    ...length,
    items: { type, ...length, description: 'One of them.', [publishedKeyword]: rule },
    [publishedKeyword]: { ...rule, maxItems: mostNames },
    description,
  });

const externalIds = oneOrMany<string | number>(
  ['string', 'integer'],
  externalIdLength,
  { pattern: '\\S' },
  'External ids; unknown ones are ignored. One or a list of at most 50, each at most 987 bytes. A whole number is taken as its text.',
);
const emails = oneOrMany<string>(
  'string',
  { maxLength: 1000 },
  {},
  'Emails. Each person with the email gets the state. One or a list of at most 50.',
);
const phones = oneOrMany<string>(
  'string',
  { maxLength: 1000 },
  publishedPhone,
  'Phone numbers, E.164; each person with the phone gets the state. One or a list of at most 50.',
);

const group = objectShape(
  'SubscriptionGroupUpdate',
  'A state, and who gets it: external ids, and emails or phones.',
  {
    subscription_group_id: groupId,
    subscription_state: state,
    ...optional({ external_ids: externalIds, emails, phones, use_double_opt_in_logic }),
  },
);

/** As the worker reads it, of either of the two. What only the page of a preference center says, no caller can send: `tidy` leaves it out. */
export interface SubscriptionSetGroup {
  /** The page only: without it, the state is about all emails to the person. */
  subscription_group_id?: string;
  /** `opted_in`: the page only, and not of a group. `null`: a START only, where the STOP found no state. */
  subscription_state: 'opted_in' | 'subscribed' | 'unsubscribed' | null;
  external_ids?: string[];
  /** The page only. */
  service_ids?: string[];
  emails?: string[];
  phones?: string[];
}

/** What a person did themselves, on the page of a preference center. */
export const pageActions = ['preference_center.submit', 'preference_center.unsubscribe'] as const;

/** What a person wrote back to a text message. */
export const phoneActions = { stop: 'phone.stop', start: 'phone.start' } as const;

export interface SubscriptionSet {
  subscription_groups: SubscriptionSetGroup[];
  /** An answer to a text message only. */
  phone?: (typeof phoneActions)[keyof typeof phoneActions];
  /** The page only: what the person did, and on the page of which preference center. */
  page?: { action: (typeof pageActions)[number]; preference_center_api_id: string };
}

const row = {
  method: 'POST',
  permission: 'subscription.status.set',
  tag: subscriptionTag,
  kind: 'write',
  answer: 'result',
  queue: 'subscription',
  success: 201,
  bodyLimit: 4 * 1024 * 1024,
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
  responses: resultOrQueued('SubscriptionAnswer', 'The states have been set.', {}),
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

export const subscriptionStatusSet = operation({
  ...row,
  ...judgedAs(first),
  id: 'subscription.status.set',
  path: '/subscription/status/set',
  summary: 'Set the state of people in a subscription group',
  description: `${rules} An SMS group takes \`external_id\` or \`phone\`, an email group \`email\` or \`external_id\`.`,
  request: {
    body: Type.Object({
      subscription_group_id: groupId,
      subscription_state: state,
      ...optional({ external_id: externalIds, email: emails, phone: phones, use_double_opt_in_logic }),
    }),
  },
  examples: [
    example('Two people', {
      body: {
        subscription_group_id: 'demo-news',
        subscription_state: 'unsubscribed',
        external_id: ['ada', 'bob'],
      },
      201: {},
    }),
    example('A group that is not there', {
      body: { subscription_group_id: 'unknown', subscription_state: 'subscribed', external_id: 'ada' },
      ...refusedAs('SUBSCRIPTION_GROUP_UNKNOWN'),
    }),
  ],
});

const tooManyGroups: BodyRule = ({ subscription_groups: groups }) =>
  Array.isArray(groups) && groups.length > mostGroups
    ? new Rejection('TOO_MANY_SUBSCRIPTION_GROUPS')
    : undefined;

export const subscriptionStatusSetV2 = operation({
  ...row,
  ...judgedAs(second, tooManyGroups),
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
      201: {},
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
      ...refusedAs('EXTERNAL_IDS_INVALID'),
    }),
  ],
});
