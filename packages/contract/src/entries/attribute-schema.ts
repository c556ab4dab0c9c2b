/** The attribute object: the fields of a profile by their names, and any other name for custom attributes. */

import type { TSchema } from '@sinclair/typebox';
import {
  booleanOrNull,
  countOrNull,
  flag,
  objectShape,
  oneOf,
  optional,
  plain,
  publishedKeyword,
  shape,
  text,
  textOrNull,
} from '../shape.ts';
import { identifiers } from './identifiers.ts';
import { app, campaignReceived, canvasReceived, cardClicked, device, pushToken } from './list-shapes.ts';

const MOST_ITEMS = 500;
const badValue = 'ATTRIBUTE_VALUE_INVALID';
const badLocation = 'BAD_LOCATION_UPDATE';

const fieldText = (description: string) => textOrNull(description, { maxLength: 255 });
const fieldTime = (description: string) => textOrNull(description, { maxLength: 64 });

const list = (items: TSchema, description: string, code = 'FIELD_INVALID') =>
  plain<object[] | null>({
    type: ['array', 'null'],
    maxItems: MOST_ITEMS,
    items,
    description: `${description} Each is added, or replaces the one that is already there; \`null\` removes all.`,
    'x-errors': { type: code },
  });

const states = ['opted_in', 'subscribed', 'unsubscribed'] as const;

const subscription = (description: string, code: string) =>
  plain<(typeof states)[number] | null>({
    type: ['string', 'null'],
    enum: [...states, null],
    description,
    'x-errors': { type: code, enum: code },
  });

const groupId = (description: string) =>
  plain<string>({ type: 'string', description, 'x-errors': { type: 'BAD_SUBSCRIPTION_GROUP_ID' } });

const groupStateOf = (description: string) =>
  oneOf(['subscribed', 'unsubscribed'], description, {
    'x-errors': { type: 'BAD_SUBSCRIPTION_GROUP_STATE', enum: 'BAD_SUBSCRIPTION_GROUP_STATE' },
  });

const groupState = objectShape(
  'SubscriptionGroupState',
  'Whether the person is in a subscription group: `subscription_group_id` and `subscription_state`, or `id` and `state`.',
  optional({
    subscription_group_id: groupId('Id of a subscription group of the workspace.'),
    subscription_state: groupStateOf('`subscribed` or `unsubscribed`.'),
    id: groupId('The id as it is exported.'),
    state: groupStateOf('The state as it is exported.'),
    since: text('As it is exported. Not used: the state counts from this request on.', { maxLength: 64 }),
    use_double_opt_in_logic: flag(
      'Taken from senders of SMS, without effect: Roster sends none. When true a note in the outcome says so.',
    ),
  }),
  {
    anyOf: [{ required: ['subscription_group_id', 'subscription_state'] }, { required: ['id', 'state'] }],
    'x-errors': { type: 'BAD_SUBSCRIPTION_GROUP_HASH', anyOf: 'BAD_SUBSCRIPTION_GROUP_HASH' },
  },
);

const coordinate = (description: string) =>
  plain<number>({ type: 'number', description, 'x-errors': { type: badLocation } });

const location = shape(
  'Location',
  plain<{ longitude: number; latitude: number } | null>({
    type: ['object', 'null'],
    properties: {
      longitude: coordinate('Degrees east, -180 to 180.'),
      latitude: coordinate('Degrees north, -90 to 90.'),
    },
    required: ['longitude', 'latitude'],
    additionalProperties: false,
    description: 'Where the person is.',
    'x-errors': { type: badLocation, required: badLocation },
  }),
);

const coordinates = plain<[number, number] | null>({
  type: ['array', 'null'],
  items: { type: 'number', description: 'Degrees.' },
  minItems: 2,
  maxItems: 2,
  description: 'The same as it is exported, `[longitude, latitude]`. Only one of the two can be sent.',
});

const followers = (description: string) =>
  countOrNull(description, { maximum: 2 ** 63, [publishedKeyword]: { maximum: undefined } });

const facebook = shape(
  'Facebook',
  plain<object | null>({
    type: ['object', 'null'],
    properties: optional({
      id: fieldText('Id of the person there.'),
      likes: plain<string[] | null>({
        type: ['array', 'null'],
        maxItems: MOST_ITEMS,
        items: text('Something that is liked.', { maxLength: 255 }),
        description: 'What the person likes.',
      }),
      num_friends: followers('How many friends.'),
    }),
    description: 'Facebook account. Members that are not known are left out, with a note in the outcome.',
  }),
);

const twitter = shape(
  'Twitter',
  plain<object | null>({
    type: ['object', 'null'],
    properties: optional({
      id: plain<number | string | null>({
        type: ['integer', 'string', 'null'],
        maxLength: 255,
        minimum: 0,
        maximum: 2 ** 63,
        [publishedKeyword]: { maximum: undefined },
        description: 'Id of the person there; as text when it has more than 64 bits.',
      }),
      screen_name: fieldText('Name there.'),
      followers_count: followers('How many followers.'),
      friends_count: followers('How many are followed.'),
      statuses_count: followers('How many posts.'),
    }),
    description: 'Twitter account. Members that are not known are left out, with a note in the outcome.',
  }),
);

const customAttribute = shape(
  'CustomAttribute',
  plain<unknown>({
    type: ['string', 'number', 'boolean', 'null', 'array', 'object'],
    maxLength: 255,
    description:
      'Text of at most 255 characters (a date or time becomes a time), a number, a boolean, or `null` to remove. ' +
      '`{"inc": 2}` adds to a whole number. An array of texts, numbers and booleans; `{"add": [..], "remove": [..]}` changes it. Of more than 25 elements, unless the workspace has another number, the last are kept, and the outcome says so (`array_full`). ' +
      'An object: a nested attribute of at most 100 KB, names without spaces, dots and `$`, texts of at most 255 characters, no `null`, times as `{"$time": ".."}` (also by itself). ' +
      'An array of such objects; `{"$add": [{..}], "$remove": [{"$identifier_key": "id", "$identifier_value": 1}], "$update": [{"$identifier_key": "id", ' +
      '"$identifier_value": 1, "$new_object": {..}}]}` changes it. An object that holds nothing but `inc`, or `add` and `remove`, or names that begin with `$`, is such a change.',
    'x-errors': { type: badValue, maxLength: badValue },
  }),
);

export const attributeEntry = objectShape(
  'AttributeEntry',
  'Sets fields of a profile. Any name that is not listed is a custom attribute: 1 to 255 characters, no leading `$`, no NUL. `null` removes a value.',
  optional({
    ...identifiers,
    push_token_import: flag(
      'When true the entry brings push tokens, without `external_id` and `service_id`, and needs no identifier: a token that belongs to a person stays there, and a new person is created for the other tokens.',
    ),
    _merge_objects: flag(
      'When true nested attributes are merged into what is there, and `$update` into the objects it finds; otherwise they replace it.',
    ),
    apps: list(app, 'Apps that the person uses.'),
    attributed_ad: fieldText('Ad that brought the person.'),
    attributed_adgroup: fieldText('Group of ads that brought the person.'),
    attributed_campaign: fieldText('Campaign that brought the person.'),
    attributed_source: fieldText('Source that brought the person.'),
    campaigns_received: list(campaignReceived, 'Campaigns that the person received.'),
    canvases_received: list(canvasReceived, 'Canvases that the person entered.'),
    cards_clicked: list(cardClicked, 'Cards that the person clicked.'),
    country: fieldText(
      'ISO 3166-1 alpha-2; other spellings are mapped where possible, else the country is removed, with a note in the outcome.',
    ),
    current_location: location,
    date_of_first_session: fieldTime('Time of the first session.'),
    date_of_last_session: fieldTime('Time of the last session.'),
    devices: list(device, 'Devices of the person.'),
    dob: fieldTime('Date of birth, `YYYY-MM-DD`.'),
    email_subscribe: subscription('Consent to email.', 'BAD_EMAIL_SUBSCRIPTION_STATE'),
    email_open_tracking_disabled: booleanOrNull('When true opened mails are not counted.'),
    email_click_tracking_disabled: booleanOrNull('When true clicks in mails are not counted.'),
    facebook,
    first_name: fieldText('First name.'),
    last_name: fieldText('Last name.'),
    gender: plain<string | null>({
      type: ['string', 'null'],
      enum: ['M', 'F', 'O', 'N', 'P', 'nil', null],
      description: 'Male, female, other, not applicable, prefer not to say, unknown.',
    }),
    home_city: fieldText('Home city.'),
    image_url: textOrNull('URL of a picture of the person.', { maxLength: 2048 }),
    language: fieldText('ISO 639-1; other spellings are mapped where possible, else nothing changes.'),
    last_coordinates: coordinates,
    marked_email_as_spam_at: fieldTime('When the person marked a mail as spam. Stops email.'),
    push_opted_in_at: fieldTime('When the person agreed to push.'),
    push_subscribe: subscription('Consent to push.', 'BAD_PUSH_SUBSCRIPTION_STATE'),
    push_tokens: list(pushToken, 'Push tokens.', 'BAD_PUSH_TOKEN_VALUE'),
    subscription_groups: plain<object[]>({
      type: 'array',
      maxItems: MOST_ITEMS,
      items: groupState,
      description: 'Subscription groups in which the person is to be or not to be.',
      'x-errors': { type: 'BAD_SUBSCRIPTION_GROUP_ARRAY' },
    }),
    time_zone: fieldText(
      'IANA name, or a name such as `Eastern Time (US & Canada)`. An unknown one is ignored.',
    ),
    twitter,
    uninstalled_at: fieldTime('When the app was uninstalled.'),
  }),
  { additionalProperties: customAttribute, maxProperties: 1000 },
);

/** Any other member is a custom attribute. */
export const attributeMembers: ReadonlySet<string> = new Set(Object.keys(attributeEntry.properties));
