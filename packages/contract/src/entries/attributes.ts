/** The attribute object: fields of the profile by their names, everything else is a custom attribute (field-facts 2.1.3, 2.1.4). */
import { Type } from '@sinclair/typebox';
import { nameFault } from '../formats/name.ts';
import { isDate, parseTime } from '../formats/time.ts';
import type { EntryFault, EntryKind, JsonObject } from '../operation.ts';
import { booleanOrNull, plain, shape, textOrNull } from '../shape.ts';
import { fault, faultAt } from './fault.ts';
import {
  hasGoodEmail,
  hasGoodIdentifier,
  hasGoodPhone,
  identifiers,
  isIdentified,
  tidyIdentifiers,
} from './identifiers.ts';
import { identifierErrors } from './occurrences.ts';

const notSupported = 'ATTRIBUTE_TYPE_NOT_SUPPORTED';
const badValue = 'ATTRIBUTE_VALUE_INVALID';

const profileText = (description: string) => Type.Optional(textOrNull(description, { maxLength: 255 }));
const profileTime = (description: string) => Type.Optional(textOrNull(description, { maxLength: 64 }));
const flag = (description: string) => Type.Optional(booleanOrNull(description));

const states = ['opted_in', 'subscribed', 'unsubscribed'] as const;

function subscription(description: string, code: string) {
  const schema = {
    type: ['string', 'null'],
    enum: [...states, null],
    description,
    'x-errors': { type: code, enum: code },
  };
  return Type.Optional(plain<(typeof states)[number] | null>(schema));
}

const increment = plain<number>({
  type: 'integer',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Added to the value, which is 0 when there is none; may be negative.',
  'x-errors': { type: badValue, minimum: badValue, maximum: badValue },
});

const customAttribute = shape(
  'CustomAttribute',
  plain<string | number | boolean | null | string[] | { inc: number }>({
    type: ['string', 'number', 'boolean', 'null', 'array', 'object'],
    maxLength: 255,
    maxItems: 500,
    items: {
      type: 'string',
      maxLength: 255,
      description: 'One value.',
      'x-errors': { type: notSupported, maxLength: badValue },
    },
    properties: { inc: increment },
    required: ['inc'],
    additionalProperties: false,
    description:
      'Text, a number, a boolean, an array of texts, `{"inc": n}` to add to a whole number, or `null` to remove.',
    'x-errors': {
      type: badValue,
      maxLength: badValue,
      maxItems: badValue,
      required: notSupported,
      additionalProperties: notSupported,
    },
  }),
);

const attributeEntry = shape(
  'AttributeEntry',
  Type.Object(
    {
      ...identifiers,
      country: profileText('ISO 3166-1 alpha-2; other spellings are mapped where possible.'),
      date_of_first_session: profileTime('Time of the first session.'),
      date_of_last_session: profileTime('Time of the last session.'),
      dob: profileTime('Date of birth, `YYYY-MM-DD`.'),
      email_subscribe: subscription('Consent to email.', 'BAD_EMAIL_SUBSCRIPTION_STATE'),
      push_subscribe: subscription('Consent to push.', 'BAD_PUSH_SUBSCRIPTION_STATE'),
      email_open_tracking_disabled: flag('When true opened mails are not counted.'),
      email_click_tracking_disabled: flag('When true clicks in mails are not counted.'),
      first_name: profileText('First name.'),
      last_name: profileText('Last name.'),
      gender: Type.Optional(
        plain<string | null>({
          type: ['string', 'null'],
          enum: ['M', 'F', 'O', 'N', 'P', 'nil', null],
          description: 'Male, female, other, not applicable, prefer not to say, unknown.',
        }),
      ),
      home_city: profileText('Home city.'),
      image_url: Type.Optional(textOrNull('Address of a picture of the person.', { maxLength: 2048 })),
      language: profileText('ISO 639-1.'),
      marked_email_as_spam_at: profileTime('When the person marked a mail as spam. Stops email.'),
      time_zone: profileText(
        'IANA name, or a name such as `Eastern Time (US & Canada)`. An unknown one is ignored.',
      ),
      _merge_objects: Type.Optional(
        Type.Boolean({ description: 'Has no effect on the attributes that can be sent so far.' }),
      ),
    },
    {
      additionalProperties: customAttribute,
      maxProperties: 1000,
      description:
        'Sets fields of a profile. Any name that is not listed is a custom attribute: 1 to 255 characters, no leading `$`, no NUL. `null` removes a value.',
    },
  ),
);

const timeFields = ['date_of_first_session', 'date_of_last_session', 'marked_email_as_spam_at'];
const listedFields: ReadonlySet<string> = new Set(Object.keys(attributeEntry.properties));

/** Fields of the profile that are no custom attributes, and that this version does not take. */
const fieldsToCome: ReadonlySet<string> = new Set([
  'apps',
  'attributed_ad',
  'attributed_adgroup',
  'attributed_campaign',
  'attributed_source',
  'campaigns_received',
  'canvases_received',
  'cards_clicked',
  'current_location',
  'devices',
  'facebook',
  'push_token_import',
  'push_tokens',
  'subscription_groups',
  'twitter',
  'uninstalled_at',
]);

function hasGoodTimes(entry: JsonObject): EntryFault | undefined {
  for (const field of timeFields) {
    const value = entry[field];
    if (typeof value === 'string' && parseTime(value) === undefined)
      return faultAt('TIME_INVALID', `.${field}`, 'must be a time such as 2026-01-31T12:00:00Z');
  }
  const { dob } = entry;
  return typeof dob === 'string' && !isDate(dob)
    ? faultAt('TIME_INVALID', '.dob', 'must be a date such as 1984-02-29')
    : undefined;
}

function hasGoodNames(entry: JsonObject): EntryFault | undefined {
  for (const name in entry) {
    if (listedFields.has(name)) continue;
    const found = customNameFault(name);
    if (found) return found;
  }
  return undefined;
}

function customNameFault(name: string): EntryFault | undefined {
  const cause = nameFault(name);
  if (cause) return faultAt('ATTRIBUTE_NAME_INVALID', '', `has an attribute name that ${cause}`);
  if (name === 'email_subscription_info') return fault('INVALID_ATTRIBUTE_EMAIL_SUBSCRIPTION_INFO');
  return fieldsToCome.has(name)
    ? faultAt(notSupported, `.${name}`, 'is a field that is not supported yet')
    : undefined;
}

export const attributes: EntryKind = {
  array: 'attributes',
  counter: 'attributes_processed',
  schema: attributeEntry,
  before: [isIdentified],
  tidy: tidyIdentifiers,
  rules: [hasGoodIdentifier, hasGoodEmail, hasGoodPhone, hasGoodTimes, hasGoodNames],
  errors: [
    ...identifierErrors,
    'BAD_EMAIL_SUBSCRIPTION_STATE',
    'BAD_PUSH_SUBSCRIPTION_STATE',
    'INVALID_ATTRIBUTE_EMAIL_SUBSCRIPTION_INFO',
    'ATTRIBUTE_NAME_INVALID',
    'ATTRIBUTE_VALUE_INVALID',
    'ATTRIBUTE_TYPE_NOT_SUPPORTED',
  ],
};
