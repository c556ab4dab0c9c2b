/** Every way in which a single entry can be refused while the rest of its request goes through. */

export interface EntryErrorEntry {
  /** The sentence in `type`; `<...>` stands for what the answer fills in. */
  readonly message: string;
  readonly description: string;
  readonly remedy: string;
}

const refused = (message: string, description: string, remedy: string): EntryErrorEntry => ({
  message,
  description,
  remedy,
});

export const entryErrors = {
  ENTRY_NOT_AN_OBJECT: refused(
    '<place> must be an object',
    'The element of the array is not a JSON object.',
    'Send an object for each entry.',
  ),
  ENTRY_TOO_DEEP: refused(
    '<place> must not be nested deeper than 50 levels',
    'Objects and arrays stand more than 50 levels inside each other, counted from the body.',
    'Send a flatter entry.',
  ),
  IDENTIFIER_REQUIRED: refused(
    "'external_id', 'service_id', 'user_alias', 'email' or 'phone' is required",
    'The entry has no identifier of a person.',
    'Add one identifier.',
  ),
  IDENTIFIER_AMBIGUOUS: refused(
    "You must specify only one of 'external_id', 'user_alias' or 'service_id'",
    'The entry names its person in more than one way.',
    'Keep one of the three. `email` and `phone` may stand beside it.',
  ),
  EXTERNAL_USER_ID_TOO_LARGE: refused(
    "'external_id' must not be longer than 987 bytes",
    'The external id has more than 987 bytes in UTF-8.',
    'Use a shorter external id.',
  ),
  BLACKLISTED_EXTERNAL_USER_ID: refused(
    'provided external_id is blacklisted and disallowed',
    "The external id stands on the workspace's list of blocked ids, or is one of those that are sent by mistake: `null`, `undefined`, `none`, `nil`, `nan`, " +
      '`[object Object]`, `0`, `guest`, `anonymous`, `true`, `false` or white space, unless the workspace has another list.',
    'Use the real id of a person, or have the id taken off the list.',
  ),
  ALIAS_TOO_LARGE: refused(
    "'alias_name' and 'alias_label' must not be longer than 236 bytes",
    'A part of the alias has more than 236 bytes in UTF-8.',
    'Use a shorter name or label.',
  ),
  ALIAS_NAME_TAKEN: refused(
    "'alias_name' is already in use under this 'alias_label'",
    'A person has this alias.',
    'Use another name, or merge the two people.',
  ),
  PRIORITIZATION_INVALID: refused(
    "'prioritization' must be an array of 'identified' or 'unidentified', 'most_recently_updated' and 'least_recently_updated'",
    'Something else in the array, or both `identified` and `unidentified`.',
    'Send the preferences in the order in which they count.',
  ),
  TEXT_NOT_WELL_FORMED: refused(
    '<place> must be well-formed text',
    'A text holds half a surrogate pair, or an identifier, a name or an app id holds a NUL character.',
    'Correct the encoding of the text.',
  ),
  FIELD_REQUIRED: refused("'<field>' is required", 'A required field is missing.', 'Add the field.'),
  FIELD_INVALID: refused(
    '<place> <what it must be>',
    'A field is of the wrong type or outside its bounds. The sentence names it.',
    'Compare the field with the schema.',
  ),
  NUMBER_OUT_OF_RANGE: refused(
    '<place> must be a whole number of at most 64 bits, or have a decimal point',
    'A whole number is below -9223372036854775808 or above 9223372036854775807.',
    'Send it as text.',
  ),
  TIME_INVALID: refused(
    '<place> must be a time such as 2026-01-31T12:00:00Z',
    'The text is in none of the accepted date and time formats, or names a day that does not exist. Of ISO 8601, weeks (`2026-W05-6`), days of the year (`2026-031`) ' +
      'and hours without minutes (`2026-01-31T12`) are not accepted.',
    'Use a date and time such as `2026-01-31T12:00:00Z`.',
  ),
  EMAIL_BAD_FORMAT: refused(
    "The value provided for the 'email' field is not a valid email.",
    'Not an email address: no text, one of more than 1,000 characters, or one of another form.',
    'Send a valid address, or `null` in an attribute object to remove it.',
  ),
  PHONE_INVALID: refused(
    "The value provided for the 'phone' field is not a valid phone number.",
    'The text can not be brought into E.164.',
    'Send the number with `+` and its country code; ten digits alone are read as a US number.',
  ),
  BAD_EMAIL_SUBSCRIPTION_STATE: refused(
    "'email_subscribe' must be 'subscribed', 'unsubscribed', or 'opted_in'",
    'Any other value of `email_subscribe`.',
    'Use one of the three states.',
  ),
  BAD_PUSH_SUBSCRIPTION_STATE: refused(
    "'push_subscribe' must be 'subscribed', 'unsubscribed', or 'opted_in'",
    'Any other value of `push_subscribe`.',
    'Use one of the three states.',
  ),
  INVALID_ATTRIBUTE_EMAIL_SUBSCRIPTION_INFO: refused(
    "'email_subscription_info' is not a valid attribute",
    'This name can not be used for an attribute.',
    'Use `email_subscribe`, or another name.',
  ),
  BAD_LOCATION_UPDATE: refused(
    "'current_location' must be an object with 'longitude' and 'latitude'",
    'The location is not an object of two numbers, one of them is out of range, or `last_coordinates` says it a second time.',
    'Send both numbers: -180 to 180 and -90 to 90.',
  ),
  BAD_PUSH_TOKEN_VALUE: refused(
    "'push_tokens' must be an array of objects",
    'The push tokens are not an array of objects.',
    'Send an array of objects with `app_id` and `token`.',
  ),
  BAD_PUSH_TOKEN_STRING: refused(
    "'token' must be a string",
    'A push token is missing, empty or not a text.',
    'Send the token as text.',
  ),
  BAD_PUSH_TOKEN_APP_ID: refused(
    "'app_id' must be an app of the workspace",
    'A push token names no app, one that the workspace does not have, or two.',
    'Use the id of an app of the workspace, as `app_id` or `app`.',
  ),
  BAD_PUSH_TOKEN_IMPORT: refused(
    "token import must contain 'push_tokens' and neither 'external_id' nor 'service_id'",
    'An entry with `push_token_import` has no token, or an `external_id` or `service_id`.',
    'Send tokens, with at most a `user_alias`, `email` or `phone`.',
  ),
  BAD_DEVICE_ID: refused(
    "token import with 'device_id' must have a device_id less than 255 bytes and at least 8 bytes",
    'The device id of a push token is no text, too short or too long.',
    'Use 8 to 254 bytes, or leave it out.',
  ),
  BAD_SUBSCRIPTION_GROUP_ARRAY: refused(
    "'subscription_groups' must be an array",
    'The subscription groups are not an array.',
    'Send an array of objects.',
  ),
  BAD_SUBSCRIPTION_GROUP_HASH: refused(
    "'subscription_groups' must hold objects with 'subscription_group_id' and 'subscription_state'",
    'An element of the subscription groups is incomplete.',
    'Send both members.',
  ),
  BAD_SUBSCRIPTION_GROUP_ID: refused(
    "'subscription_group_id' must be a subscription group of the workspace",
    'The workspace does not have the subscription group.',
    'Use the id of a group of the workspace.',
  ),
  BAD_SUBSCRIPTION_GROUP_STATE: refused(
    "'subscription_state' must be 'subscribed' or 'unsubscribed'",
    'Any other state of a subscription group.',
    'Use one of the two states.',
  ),
  QUANTITY_INVALID: refused(
    "'quantity' is not valid",
    'The quantity is not a whole number from 1 to 100.',
    'Send a whole number from 1 to 100, or several purchases.',
  ),
  CURRENCY_INVALID: refused(
    "'currency' must be an ISO 4217 currency code",
    'The currency is not a three-letter ISO 4217 code in capitals.',
    'Use a code such as `USD` or `EUR`.',
  ),
  PROPERTY_NAME_INVALID: refused(
    '<place> has a property name that is not allowed',
    'A property name is empty, longer than 255 characters, begins with `$` or holds a NUL character.',
    'Rename the property.',
  ),
  PROPERTY_NAME_RESERVED: refused(
    "<place> must not hold the reserved name 'time' or 'event_name'",
    'The property names `time` and `event_name` are reserved.',
    'Rename the property.',
  ),
  PROPERTY_VALUE_INVALID: refused(
    '<place> must be a string of at most 255 characters, a finite number, a boolean, null, an array or an object',
    'A property value is a string of more than 255 characters or a number that is too big.',
    'Shorten the value.',
  ),
  TOO_MANY_PROPERTIES: refused(
    '<place> must not hold more than 256 properties',
    'The entry has more than 256 properties.',
    'Send fewer properties.',
  ),
  PROPERTIES_TOO_LARGE: refused(
    '<place> must not be larger than 100 KB when it holds arrays or objects',
    'The properties hold an array or object and are larger than 102,400 bytes of JSON.',
    'Send less, or flat values only.',
  ),
  ATTRIBUTE_NAME_INVALID: refused(
    '<place> has an attribute name that is not allowed',
    'An attribute name is empty, longer than 255 characters, begins with `$` or holds a NUL character.',
    'Rename the attribute.',
  ),
  ATTRIBUTE_VALUE_INVALID: refused(
    '<place> <what it must be>',
    'A custom attribute, or something inside one, is of a type that is not allowed there, a text of more than 255 characters, a number that is ' +
      'too big, or a `null` inside an object. The sentence names it.',
    'Compare the value with the rules of custom attributes.',
  ),
  ATTRIBUTE_ARRAY_INVALID: refused(
    '<place> <what it must be>',
    'An array holds objects beside other values, `null`, another array, or more than 500 texts, numbers and booleans.',
    'Send texts, numbers and booleans only, or objects only.',
  ),
  ATTRIBUTE_OPERATION_INVALID: refused(
    '<place> <what it must be>',
    'A change of an attribute (`inc`, `add`, `remove`, `$add`, `$update`, `$remove`) does not have its shape. The sentence names the place.',
    'Compare the change with the rules of custom attributes.',
  ),
  ATTRIBUTE_TOO_LARGE: refused(
    '<place> must not be larger than 100 KB',
    'A nested attribute, an array of objects or a change of one is larger than 102,400 bytes of JSON.',
    'Send less, or several attributes.',
  ),
  NESTED_NAME_INVALID: refused(
    '<place> has a member name that is not allowed',
    'A name inside a nested attribute is empty, longer than 255 characters, or holds a space, a dot, `$` or a NUL character.',
    'Rename the member.',
  ),
} as const satisfies Record<string, EntryErrorEntry>;

export type EntryErrorCode = keyof typeof entryErrors;

export function isEntryErrorCode(text: string): text is EntryErrorCode {
  return Object.hasOwn(entryErrors, text);
}
