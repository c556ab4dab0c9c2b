/** Every way in which a single entry can be refused while the rest of its request goes through. */

export interface EntryErrorEntry {
  /** The sentence in `type`; `<...>` stands for what the answer fills in. */
  readonly message: string;
  readonly description: string;
  readonly remedy: string;
}

export const entryErrors = {
  ENTRY_NOT_AN_OBJECT: {
    message: '<place> must be an object',
    description: 'The element of the array is not a JSON object.',
    remedy: 'Send an object for each entry.',
  },
  ENTRY_TOO_DEEP: {
    message: '<place> must not be nested deeper than 50 levels',
    description: 'Objects and arrays stand more than 50 levels inside each other, counted from the body.',
    remedy: 'Send a flatter entry.',
  },
  IDENTIFIER_REQUIRED: {
    message: "'external_id', 'service_id', 'user_alias', 'email' or 'phone' is required",
    description: 'The entry has no identifier of a person.',
    remedy: 'Add one identifier.',
  },
  IDENTIFIER_AMBIGUOUS: {
    message: "You must specify only one of 'external_id', 'user_alias' or 'service_id'",
    description: 'The entry names its person in more than one way.',
    remedy: 'Keep one of the three. `email` and `phone` may stand beside it.',
  },
  EXTERNAL_USER_ID_TOO_LARGE: {
    message: "'external_id' must not be longer than 987 bytes",
    description: 'The external id has more than 987 bytes in UTF-8.',
    remedy: 'Use a shorter external id.',
  },
  BLACKLISTED_EXTERNAL_USER_ID: {
    message: 'provided external_id is blacklisted and disallowed',
    description:
      "The external id stands on the workspace's list of blocked ids, or is one of those that are sent by mistake: `null`, `undefined`, `none`, `nil`, `nan`, " +
      '`[object Object]`, `0`, `guest`, `anonymous`, `true`, `false` or white space, unless the workspace has another list.',
    remedy: 'Use the real id of a person, or have the id taken off the list.',
  },
  ALIAS_TOO_LARGE: {
    message: "'alias_name' and 'alias_label' must not be longer than 236 bytes",
    description: 'A part of the alias has more than 236 bytes in UTF-8.',
    remedy: 'Use a shorter name or label.',
  },
  ALIAS_NAME_TAKEN: {
    message: "'alias_name' is already in use under this 'alias_label'",
    description: 'A person has this alias.',
    remedy: 'Use another name, or merge the two people.',
  },
  PRIORITIZATION_INVALID: {
    message:
      "'prioritization' must be an array of 'identified' or 'unidentified', 'most_recently_updated' and 'least_recently_updated'",
    description: 'Something else in the array, or both `identified` and `unidentified`.',
    remedy: 'Send the preferences in the order in which they count.',
  },
  TEXT_NOT_WELL_FORMED: {
    message: '<place> must be well-formed text',
    description:
      'A text holds half a surrogate pair, or an identifier, a name or an app id holds a NUL character.',
    remedy: 'Correct the encoding of the text.',
  },
  FIELD_REQUIRED: {
    message: "'<field>' is required",
    description: 'A required field is missing.',
    remedy: 'Add the field.',
  },
  FIELD_INVALID: {
    message: '<place> <what it must be>',
    description: 'A field is of the wrong type or outside its bounds. The sentence names it.',
    remedy: 'Compare the field with the schema.',
  },
  NUMBER_OUT_OF_RANGE: {
    message: '<place> must be a whole number of at most 64 bits, or have a decimal point',
    description: 'A whole number is below -9223372036854775808 or above 9223372036854775807.',
    remedy: 'Send it as text.',
  },
  TIME_INVALID: {
    message: '<place> must be a time such as 2026-01-31T12:00:00Z',
    description:
      'The text is in none of the accepted date and time formats, or names a day that does not exist. Of ISO 8601, weeks (`2026-W05-6`), days of the year (`2026-031`) ' +
      'and hours without minutes (`2026-01-31T12`) are not accepted.',
    remedy: 'Use a date and time such as `2026-01-31T12:00:00Z`.',
  },
  EMAIL_BAD_FORMAT: {
    message: "The value provided for the 'email' field is not a valid email.",
    description: 'Not an email address: no text, one of more than 1,000 characters, or one of another form.',
    remedy: 'Send a valid address, or `null` in an attribute object to remove it.',
  },
  PHONE_INVALID: {
    message: "The value provided for the 'phone' field is not a valid phone number.",
    description: 'The text can not be brought into E.164.',
    remedy: 'Send the number with `+` and its country code; ten digits alone are read as a US number.',
  },
  BAD_EMAIL_SUBSCRIPTION_STATE: {
    message: "'email_subscribe' must be 'subscribed', 'unsubscribed', or 'opted_in'",
    description: 'Any other value of `email_subscribe`.',
    remedy: 'Use one of the three states.',
  },
  BAD_PUSH_SUBSCRIPTION_STATE: {
    message: "'push_subscribe' must be 'subscribed', 'unsubscribed', or 'opted_in'",
    description: 'Any other value of `push_subscribe`.',
    remedy: 'Use one of the three states.',
  },
  INVALID_ATTRIBUTE_EMAIL_SUBSCRIPTION_INFO: {
    message: "'email_subscription_info' is not a valid attribute",
    description: 'This name can not be used for an attribute.',
    remedy: 'Use `email_subscribe`, or another name.',
  },
  BAD_LOCATION_UPDATE: {
    message: "'current_location' must be an object with 'longitude' and 'latitude'",
    description:
      'The location is not an object of two numbers, one of them is out of range, or `last_coordinates` says it a second time.',
    remedy: 'Send both numbers: -180 to 180 and -90 to 90.',
  },
  BAD_PUSH_TOKEN_VALUE: {
    message: "'push_tokens' must be an array of objects",
    description: 'The push tokens are not an array of objects.',
    remedy: 'Send an array of objects with `app_id` and `token`.',
  },
  BAD_PUSH_TOKEN_STRING: {
    message: "'token' must be a string",
    description: 'A push token is missing, empty or not a text.',
    remedy: 'Send the token as text.',
  },
  BAD_PUSH_TOKEN_APP_ID: {
    message: "'app_id' must be an app of the workspace",
    description: 'A push token names no app, one that the workspace does not have, or two.',
    remedy: 'Use the id of an app of the workspace, as `app_id` or `app`.',
  },
  BAD_PUSH_TOKEN_IMPORT: {
    message: "token import must contain 'push_tokens' and neither 'external_id' nor 'service_id'",
    description: 'An entry with `push_token_import` has no token, or an `external_id` or `service_id`.',
    remedy: 'Send tokens, with at most a `user_alias`, `email` or `phone`.',
  },
  BAD_DEVICE_ID: {
    message: "token import with 'device_id' must have a device_id less than 255 bytes and at least 8 bytes",
    description: 'The device id of a push token is no text, too short or too long.',
    remedy: 'Use 8 to 254 bytes, or leave it out.',
  },
  BAD_SUBSCRIPTION_GROUP_ARRAY: {
    message: "'subscription_groups' must be an array",
    description: 'The subscription groups are not an array.',
    remedy: 'Send an array of objects.',
  },
  BAD_SUBSCRIPTION_GROUP_HASH: {
    message: "'subscription_groups' must hold objects with 'subscription_group_id' and 'subscription_state'",
    description: 'An element of the subscription groups is incomplete.',
    remedy: 'Send both members.',
  },
  BAD_SUBSCRIPTION_GROUP_ID: {
    message: "'subscription_group_id' must be a subscription group of the workspace",
    description: 'The workspace does not have the subscription group.',
    remedy: 'Use the id of a group of the workspace.',
  },
  BAD_SUBSCRIPTION_GROUP_STATE: {
    message: "'subscription_state' must be 'subscribed' or 'unsubscribed'",
    description: 'Any other state of a subscription group.',
    remedy: 'Use one of the two states.',
  },
  QUANTITY_INVALID: {
    message: "'quantity' is not valid",
    description: 'The quantity is not a whole number from 1 to 100.',
    remedy: 'Send a whole number from 1 to 100, or several purchases.',
  },
  CURRENCY_INVALID: {
    message: "'currency' must be an ISO 4217 currency code",
    description: 'The currency is not a three-letter ISO 4217 code in capitals.',
    remedy: 'Use a code such as `USD` or `EUR`.',
  },
  PROPERTY_NAME_INVALID: {
    message: '<place> has a property name that is not allowed',
    description:
      'A property name is empty, longer than 255 characters, begins with `$` or holds a NUL character.',
    remedy: 'Rename the property.',
  },
  PROPERTY_NAME_RESERVED: {
    message: "<place> must not hold the reserved name 'time' or 'event_name'",
    description: 'The property names `time` and `event_name` are reserved.',
    remedy: 'Rename the property.',
  },
  PROPERTY_VALUE_INVALID: {
    message:
      '<place> must be a string of at most 255 characters, a finite number, a boolean, null, an array or an object',
    description: 'A property value is a string of more than 255 characters or a number that is too big.',
    remedy: 'Shorten the value.',
  },
  TOO_MANY_PROPERTIES: {
    message: '<place> must not hold more than 256 properties',
    description: 'The entry has more than 256 properties.',
    remedy: 'Send fewer properties.',
  },
  PROPERTIES_TOO_LARGE: {
    message: '<place> must not be larger than 100 KB when it holds arrays or objects',
    description: 'The properties hold an array or object and are larger than 102,400 bytes of JSON.',
    remedy: 'Send less, or flat values only.',
  },
  ATTRIBUTE_NAME_INVALID: {
    message: '<place> has an attribute name that is not allowed',
    description:
      'An attribute name is empty, longer than 255 characters, begins with `$` or holds a NUL character.',
    remedy: 'Rename the attribute.',
  },
  ATTRIBUTE_VALUE_INVALID: {
    message: '<place> <what it must be>',
    description:
      'A custom attribute, or something inside one, is of a type that is not allowed there, a text of more than 255 characters, a number that is ' +
      'too big, or a `null` inside an object. The sentence names it.',
    remedy: 'Compare the value with the rules of custom attributes.',
  },
  ATTRIBUTE_ARRAY_INVALID: {
    message: '<place> <what it must be>',
    description:
      'An array holds objects beside other values, `null`, another array, or more than 500 texts, numbers and booleans.',
    remedy: 'Send texts, numbers and booleans only, or objects only.',
  },
  ATTRIBUTE_OPERATION_INVALID: {
    message: '<place> <what it must be>',
    description:
      'A change of an attribute (`inc`, `add`, `remove`, `$add`, `$update`, `$remove`) does not have its shape. The sentence names the place.',
    remedy: 'Compare the change with the rules of custom attributes.',
  },
  ATTRIBUTE_TOO_LARGE: {
    message: '<place> must not be larger than 100 KB',
    description:
      'A nested attribute, an array of objects or a change of one is larger than 102,400 bytes of JSON.',
    remedy: 'Send less, or several attributes.',
  },
  NESTED_NAME_INVALID: {
    message: '<place> has a member name that is not allowed',
    description:
      'A name inside a nested attribute is empty, longer than 255 characters, or holds a space, a dot, `$` or a NUL character.',
    remedy: 'Rename the member.',
  },
} as const satisfies Record<string, EntryErrorEntry>;

export type EntryErrorCode = keyof typeof entryErrors;

export function isEntryErrorCode(text: string): text is EntryErrorCode {
  return Object.hasOwn(entryErrors, text);
}
