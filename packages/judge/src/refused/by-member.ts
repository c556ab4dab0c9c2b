/** Entries that are refused, member by member: many of them are made by a rule. */
import type { EntryErrorCode } from '@roster/contract';
import type { EntryList } from './refused.ts';

type Refusal = [entry: unknown, code: EntryErrorCode, sentence?: string];

const time = '2026-01-31T12:00:00Z';

const anAttribute = (more: object) => ({ external_id: 'ada', ...more });
const anEvent = (more: object) => ({ external_id: 'ada', name: 'signed_in', time, ...more });
const aPurchase = (more: object) => {
  return { external_id: 'ada', product_id: 'tea', currency: 'EUR', price: 4.5, time, ...more };
};
const json = (text: string): object => JSON.parse(text);
const without = (entry: object, name: string) =>
  Object.fromEntries(Object.entries(entry).filter(([key]) => key !== name));
const many = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, value]));

const only = "You must specify only one of 'external_id', 'user_alias' or 'service_id'";
const required = "'external_id', 'service_id', 'user_alias', 'email' or 'phone' is required";
const aTime = 'must be a time such as 2026-01-31T12:00:00Z';
const clean = 'must be well-formed text without NUL characters';
const wellFormed = 'must be well-formed text';
const alias = { alias_name: 'a', alias_label: 'l' };
const tooLongAlias = "'alias_name' and 'alias_label' must not be longer than 236 bytes";
const tooLongId = "'external_id' must not be longer than 987 bytes";
const blocked = 'provided external_id is blacklisted and disallowed';

/** A sentence that is said of a place: `attributes[0]` + place + sentence. */
const at = (array: string) => (place: string, sentence: string) => `${array}[0]${place} ${sentence}`;
const inAttribute = at('attributes');
const inEvent = at('events');
const inPurchase = at('purchases');

/** Fifty levels in an entry are 52 in the body. */
const deep: unknown = JSON.parse(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`);
const flatter = 'must not be nested deeper than 50 levels';

const tooLong = 'must be a whole number of at most 64 bits, or have a decimal point';

const requiredOfAttributes: Refusal[] = [
  [anAttribute({ deep }), 'ENTRY_TOO_DEEP', inAttribute('', flatter)],
  [anAttribute({ a: [1, { b: -(2n ** 64n) }] }), 'NUMBER_OUT_OF_RANGE', inAttribute('.a[1].b', tooLong)],
  ['ada', 'ENTRY_NOT_AN_OBJECT', inAttribute('', 'must be an object')],
  [null, 'ENTRY_NOT_AN_OBJECT', inAttribute('', 'must be an object')],
  [[], 'ENTRY_NOT_AN_OBJECT', inAttribute('', 'must be an object')],
  [{ external_id: 'ada', service_id: 's' }, 'IDENTIFIER_AMBIGUOUS', only],
  [{ external_id: 'ada', user_alias: alias }, 'IDENTIFIER_AMBIGUOUS', only],
  [{ user_alias: alias, service_id: 's', email: 'a@example.com' }, 'IDENTIFIER_AMBIGUOUS', only],
  [{}, 'IDENTIFIER_REQUIRED', required],
  [{ external_id: null, email: null }, 'IDENTIFIER_REQUIRED', required],
  [
    { push_token_import: false, push_tokens: [{ app_id: 'shop', token: 't' }] },
    'IDENTIFIER_REQUIRED',
    required,
  ],
  [{ external_id: '' }, 'FIELD_INVALID', inAttribute('.external_id', 'must not be empty')],
  [{ external_id: true }, 'FIELD_INVALID', inAttribute('.external_id', 'must be a string or a whole number')],
  [{ external_id: 1.5 }, 'FIELD_INVALID', inAttribute('.external_id', 'must be a string or a whole number')],
  [{ external_id: [] }, 'FIELD_INVALID', inAttribute('.external_id', 'must be a string or a whole number')],
  [{ external_id: 2 ** 60 }, 'FIELD_INVALID', inAttribute('.external_id', 'must be written in digits')],
  [{ external_id: 'x'.repeat(988) }, 'EXTERNAL_USER_ID_TOO_LARGE', tooLongId],
  [{ external_id: 'ü'.repeat(494) }, 'EXTERNAL_USER_ID_TOO_LARGE', tooLongId],
  [{ external_id: '\ud800' }, 'TEXT_NOT_WELL_FORMED', inAttribute('.external_id', clean)],
  [{ external_id: 'a\0b' }, 'TEXT_NOT_WELL_FORMED', inAttribute('.external_id', clean)],
  [{ external_id: 'dummy' }, 'BLACKLISTED_EXTERNAL_USER_ID', blocked],
  [{ external_id: 7 }, 'BLACKLISTED_EXTERNAL_USER_ID', blocked],
  [{ external_id: 'null' }, 'BLACKLISTED_EXTERNAL_USER_ID', blocked],
  [{ external_id: ' NULL\n' }, 'BLACKLISTED_EXTERNAL_USER_ID', blocked],
  [{ external_id: 'Undefined' }, 'BLACKLISTED_EXTERNAL_USER_ID', blocked],
  [{ external_id: '[object Object]' }, 'BLACKLISTED_EXTERNAL_USER_ID', blocked],
  [{ external_id: 0 }, 'BLACKLISTED_EXTERNAL_USER_ID', blocked],
  [{ external_id: -0 }, 'BLACKLISTED_EXTERNAL_USER_ID', blocked],
  [{ external_id: ' \t ' }, 'BLACKLISTED_EXTERNAL_USER_ID', blocked],
  [{ service_id: '' }, 'FIELD_INVALID', inAttribute('.service_id', 'must not be empty')],
  [{ service_id: 5 }, 'FIELD_INVALID', inAttribute('.service_id', 'must be a string')],
  [{ service_id: 'a\0' }, 'TEXT_NOT_WELL_FORMED', inAttribute('.service_id', clean)],
  [{ user_alias: 'a' }, 'FIELD_INVALID', inAttribute('.user_alias', 'must be an object')],
  [{ user_alias: { alias_name: 'a' } }, 'FIELD_REQUIRED', "'alias_label' is required"],
  [
    { user_alias: { ...alias, alias_name: '' } },
    'FIELD_INVALID',
    inAttribute('.user_alias.alias_name', 'must not be empty'),
  ],
  [{ user_alias: { ...alias, alias_name: 'x'.repeat(237) } }, 'ALIAS_TOO_LARGE', tooLongAlias],
  [{ user_alias: { ...alias, alias_label: 'ü'.repeat(119) } }, 'ALIAS_TOO_LARGE', tooLongAlias],
  [
    { user_alias: { ...alias, alias_name: '\udc00' } },
    'TEXT_NOT_WELL_FORMED',
    inAttribute('.user_alias', clean),
  ],
  [{ email: 'nobody' }, 'EMAIL_BAD_FORMAT', "The value provided for the 'email' field is not a valid email."],
  [anAttribute({ email: '' }), 'EMAIL_BAD_FORMAT'],
  [anAttribute({ email: 5 }), 'EMAIL_BAD_FORMAT'],
  [anAttribute({ email: `${'a'.repeat(1000)}@b.co` }), 'EMAIL_BAD_FORMAT'],
  [{ phone: '12' }, 'PHONE_INVALID', "The value provided for the 'phone' field is not a valid phone number."],
  [anAttribute({ phone: 'none' }), 'PHONE_INVALID'],
  [{ phone: 2125550123 }, 'FIELD_INVALID', inAttribute('.phone', 'must be a string or null')],
  [
    anAttribute({ _update_existing_only: 'yes' }),
    'FIELD_INVALID',
    inAttribute('._update_existing_only', 'must be a boolean'),
  ],
];

const state = (name: string) => `'${name}' must be 'subscribed', 'unsubscribed', or 'opted_in'`;
const short = 'must not be longer than 255 characters';
const flagOrNull = 'must be a boolean or null';

const fields: Refusal[] = [
  [{ email_subscribe: 'perhaps' }, 'BAD_EMAIL_SUBSCRIPTION_STATE', state('email_subscribe')],
  [{ email_subscribe: true }, 'BAD_EMAIL_SUBSCRIPTION_STATE', state('email_subscribe')],
  [{ push_subscribe: 'Subscribed' }, 'BAD_PUSH_SUBSCRIPTION_STATE', state('push_subscribe')],
  [
    { email_subscription_info: 1 },
    'INVALID_ATTRIBUTE_EMAIL_SUBSCRIPTION_INFO',
    "'email_subscription_info' is not a valid attribute",
  ],
  [
    { gender: 'male' },
    'FIELD_INVALID',
    inAttribute('.gender', "must be one of 'M', 'F', 'O', 'N', 'P', 'nil', null"),
  ],
  [{ first_name: 5 }, 'FIELD_INVALID', inAttribute('.first_name', 'must be a string or null')],
  [{ first_name: '\udfff' }, 'TEXT_NOT_WELL_FORMED', inAttribute('.first_name', wellFormed)],
  [{ last_name: 'x'.repeat(256) }, 'FIELD_INVALID', inAttribute('.last_name', short)],
  [{ home_city: {} }, 'FIELD_INVALID', inAttribute('.home_city', 'must be a string or null')],
  [{ country: ['DE'] }, 'FIELD_INVALID', inAttribute('.country', 'must be a string or null')],
  [{ language: 5 }, 'FIELD_INVALID', inAttribute('.language', 'must be a string or null')],
  [{ time_zone: 2 }, 'FIELD_INVALID', inAttribute('.time_zone', 'must be a string or null')],
  [
    { image_url: 'x'.repeat(2049) },
    'FIELD_INVALID',
    inAttribute('.image_url', 'must not be longer than 2048 characters'),
  ],
  [
    { email_open_tracking_disabled: 'no' },
    'FIELD_INVALID',
    inAttribute('.email_open_tracking_disabled', flagOrNull),
  ],
  [
    { email_click_tracking_disabled: 0 },
    'FIELD_INVALID',
    inAttribute('.email_click_tracking_disabled', flagOrNull),
  ],
  [{ _merge_objects: 'yes' }, 'FIELD_INVALID', inAttribute('._merge_objects', 'must be a boolean')],
  [{ dob: '1985-02-29' }, 'TIME_INVALID', inAttribute('.dob', 'must be a date such as 1984-02-29')],
  [{ dob: '02/28/1985' }, 'TIME_INVALID', inAttribute('.dob', 'must be a date such as 1984-02-29')],
  [{ date_of_first_session: 'long ago' }, 'TIME_INVALID', inAttribute('.date_of_first_session', aTime)],
  [{ date_of_last_session: '2026-13-01' }, 'TIME_INVALID', inAttribute('.date_of_last_session', aTime)],
  [{ marked_email_as_spam_at: 'long ago' }, 'TIME_INVALID', inAttribute('.marked_email_as_spam_at', aTime)],
  [{ push_opted_in_at: 'once' }, 'TIME_INVALID', inAttribute('.push_opted_in_at', aTime)],
  [{ uninstalled_at: '1700000000' }, 'TIME_INVALID', inAttribute('.uninstalled_at', aTime)],
  [
    { uninstalled_at: 1700000000 },
    'FIELD_INVALID',
    inAttribute('.uninstalled_at', 'must be a string or null'),
  ],
  [{ attributed_ad: 5 }, 'FIELD_INVALID', inAttribute('.attributed_ad', 'must be a string or null')],
  [{ attributed_source: 'x'.repeat(256) }, 'FIELD_INVALID', inAttribute('.attributed_source', short)],
  [{ facebook: 'ada' }, 'FIELD_INVALID', inAttribute('.facebook', 'must be an object or null')],
  [{ facebook: { id: 5 } }, 'FIELD_INVALID', inAttribute('.facebook.id', 'must be a string or null')],
  [
    { facebook: { likes: 'tea' } },
    'FIELD_INVALID',
    inAttribute('.facebook.likes', 'must be an array or null'),
  ],
  [{ facebook: { likes: [5] } }, 'FIELD_INVALID', inAttribute('.facebook.likes[0]', 'must be a string')],
  [
    { facebook: { likes: ['\ud800'] } },
    'TEXT_NOT_WELL_FORMED',
    inAttribute('.facebook.likes[0]', wellFormed),
  ],
  [
    { facebook: { num_friends: 1.5 } },
    'FIELD_INVALID',
    inAttribute('.facebook.num_friends', 'must be a whole number or null'),
  ],
  [{ facebook: { 'a\0': 1 } }, 'FIELD_INVALID', inAttribute('.facebook', `has a member name that ${clean}`)],
  [{ twitter: { id: 2n ** 63n } }, 'NUMBER_OUT_OF_RANGE', inAttribute('.twitter.id', tooLong)],
  [
    { twitter: { id: 2 ** 64 } },
    'FIELD_INVALID',
    inAttribute('.twitter.id', 'must be at most 9223372036854776000'),
  ],
  [
    { twitter: { followers_count: -1 } },
    'FIELD_INVALID',
    inAttribute('.twitter.followers_count', 'must be at least 0'),
  ],
  [{ twitter: [] }, 'FIELD_INVALID', inAttribute('.twitter', 'must be an object or null')],
];

const location = "'current_location' must be an object with 'longitude' and 'latitude'";

const locations: Refusal[] = [
  [{ current_location: 'London' }, 'BAD_LOCATION_UPDATE', location],
  [{ current_location: [1, 2] }, 'BAD_LOCATION_UPDATE', location],
  [{ current_location: { longitude: 1 } }, 'BAD_LOCATION_UPDATE', location],
  [{ current_location: { longitude: '1', latitude: 2 } }, 'BAD_LOCATION_UPDATE', location],
  [
    { current_location: { longitude: 1, latitude: 90.5 } },
    'BAD_LOCATION_UPDATE',
    inAttribute('.current_location.latitude', 'must be from -90 to 90'),
  ],
  [
    { current_location: { longitude: -181, latitude: 0 } },
    'BAD_LOCATION_UPDATE',
    inAttribute('.current_location.longitude', 'must be from -180 to 180'),
  ],
  [
    { current_location: { longitude: 1, latitude: 2, altitude: 3 } },
    'FIELD_INVALID',
    inAttribute('.current_location', "must not hold 'altitude'"),
  ],
  [
    { last_coordinates: [1] },
    'FIELD_INVALID',
    inAttribute('.last_coordinates', 'must hold at least 2 elements'),
  ],
  [
    { last_coordinates: [1, 2, 3] },
    'FIELD_INVALID',
    inAttribute('.last_coordinates', 'must not hold more than 2 elements'),
  ],
  [{ last_coordinates: ['1', 2] }, 'FIELD_INVALID', inAttribute('.last_coordinates[0]', 'must be a number')],
  [
    { last_coordinates: [1, 91] },
    'BAD_LOCATION_UPDATE',
    inAttribute('.last_coordinates[1]', 'must be from -90 to 90'),
  ],
  [
    { last_coordinates: [1, 2], current_location: { longitude: 1, latitude: 2 } },
    'BAD_LOCATION_UPDATE',
    inAttribute('', "must not hold both 'current_location' and 'last_coordinates'"),
  ],
];

const tokenValue = "'push_tokens' must be an array of objects";
const tokenText = "'token' must be a string";
const tokenApp = "'app_id' must be an app of the workspace";
const tokenImport = "token import must contain 'push_tokens' and neither 'external_id' nor 'service_id'";
const deviceId =
  "token import with 'device_id' must have a device_id less than 255 bytes and at least 8 bytes";
const token = { app_id: 'shop', token: 't1' };

const pushTokens: Refusal[] = [
  [anAttribute({ push_tokens: 'abc' }), 'BAD_PUSH_TOKEN_VALUE', tokenValue],
  [anAttribute({ push_tokens: ['abc'] }), 'BAD_PUSH_TOKEN_VALUE', tokenValue],
  [anAttribute({ push_tokens: [token, null] }), 'BAD_PUSH_TOKEN_VALUE', tokenValue],
  [anAttribute({ push_tokens: [{ app_id: 'shop' }] }), 'BAD_PUSH_TOKEN_STRING', tokenText],
  [anAttribute({ push_tokens: [{ ...token, token: 5 }] }), 'BAD_PUSH_TOKEN_STRING', tokenText],
  [anAttribute({ push_tokens: [{ ...token, token: '' }] }), 'BAD_PUSH_TOKEN_STRING', tokenText],
  [anAttribute({ push_tokens: [{ token: 't' }] }), 'BAD_PUSH_TOKEN_APP_ID', tokenApp],
  [anAttribute({ push_tokens: [{ ...token, app_id: 'other' }] }), 'BAD_PUSH_TOKEN_APP_ID', tokenApp],
  [anAttribute({ push_tokens: [{ ...token, app_id: 5 }] }), 'BAD_PUSH_TOKEN_APP_ID', tokenApp],
  [anAttribute({ push_tokens: [{ ...token, app: 'other' }] }), 'BAD_PUSH_TOKEN_APP_ID', tokenApp],
  [anAttribute({ push_tokens: [{ token: 't', app: 'other' }] }), 'BAD_PUSH_TOKEN_APP_ID', tokenApp],
  [anAttribute({ push_tokens: [{ ...token, device_id: '1234567' }] }), 'BAD_DEVICE_ID', deviceId],
  [anAttribute({ push_tokens: [{ ...token, device_id: 'x'.repeat(255) }] }), 'BAD_DEVICE_ID', deviceId],
  [anAttribute({ push_tokens: [{ ...token, device_id: 'ü'.repeat(128) }] }), 'BAD_DEVICE_ID', deviceId],
  [anAttribute({ push_tokens: [{ ...token, device_id: 12345678 }] }), 'BAD_DEVICE_ID', deviceId],
  [anAttribute({ push_tokens: [{ ...token, device_id: 'x'.repeat(1025) }] }), 'BAD_DEVICE_ID', deviceId],
  [anAttribute({ push_tokens: [{ ...token, app_id: 'x'.repeat(256) }] }), 'BAD_PUSH_TOKEN_APP_ID', tokenApp],
  [
    anAttribute({ push_tokens: [{ ...token, notifications_enabled: 'yes' }] }),
    'FIELD_INVALID',
    inAttribute('.push_tokens[0].notifications_enabled', flagOrNull),
  ],
  [
    anAttribute({ push_tokens: [{ ...token, token: '\ud800' }] }),
    'TEXT_NOT_WELL_FORMED',
    inAttribute('.push_tokens[0].token', wellFormed),
  ],
  [anAttribute({ push_token_import: true, push_tokens: [token] }), 'BAD_PUSH_TOKEN_IMPORT', tokenImport],
  [{ push_token_import: true, push_tokens: [token], service_id: 's' }, 'BAD_PUSH_TOKEN_IMPORT', tokenImport],
  [{ push_token_import: true }, 'BAD_PUSH_TOKEN_IMPORT', tokenImport],
  [{ push_token_import: true, push_tokens: [] }, 'BAD_PUSH_TOKEN_IMPORT', tokenImport],
  [
    { push_token_import: true, push_tokens: null, email: 'a@example.com' },
    'BAD_PUSH_TOKEN_IMPORT',
    tokenImport,
  ],
  [{ push_token_import: true, push_tokens: {} }, 'BAD_PUSH_TOKEN_VALUE', tokenValue],
  [
    anAttribute({ push_token_import: 'yes' }),
    'FIELD_INVALID',
    inAttribute('.push_token_import', 'must be a boolean'),
  ],
];

const group = { subscription_group_id: 'news', subscription_state: 'subscribed' };
const groupHash =
  "'subscription_groups' must hold objects with 'subscription_group_id' and 'subscription_state'";
const groupState = "'subscription_state' must be 'subscribed' or 'unsubscribed'";
const groupId = "'subscription_group_id' must be a subscription group of the workspace";

const subscriptionGroups: Refusal[] = [
  [group, 'BAD_SUBSCRIPTION_GROUP_ARRAY', "'subscription_groups' must be an array"],
  [['news'], 'BAD_SUBSCRIPTION_GROUP_HASH', groupHash],
  [[{ subscription_group_id: 'news' }], 'BAD_SUBSCRIPTION_GROUP_HASH', groupHash],
  [[{ subscription_state: 'subscribed' }], 'BAD_SUBSCRIPTION_GROUP_HASH', groupHash],
  [[{ id: 'news' }], 'BAD_SUBSCRIPTION_GROUP_HASH', groupHash],
  [[{ state: 'subscribed' }], 'BAD_SUBSCRIPTION_GROUP_HASH', groupHash],
  [[{ id: 'other', state: 'subscribed' }], 'BAD_SUBSCRIPTION_GROUP_ID', groupId],
  [
    [{ id: 'news', state: 'opted_in' }],
    'BAD_SUBSCRIPTION_GROUP_STATE',
    "'subscription_state' must be 'subscribed' or 'unsubscribed'",
  ],
  [[{ ...group, subscription_group_id: 5 }], 'BAD_SUBSCRIPTION_GROUP_ID', groupId],
  [[group, { ...group, subscription_group_id: 'unknown' }], 'BAD_SUBSCRIPTION_GROUP_ID', groupId],
  [[{ ...group, subscription_state: 'opted_in' }], 'BAD_SUBSCRIPTION_GROUP_STATE', groupState],
  [[{ ...group, subscription_state: true }], 'BAD_SUBSCRIPTION_GROUP_STATE', groupState],
  [
    [{ ...group, use_double_opt_in_logic: 'yes' }],
    'FIELD_INVALID',
    inAttribute('.subscription_groups[0].use_double_opt_in_logic', 'must be a boolean'),
  ],
];

const textOrNull = 'must be a string or null';
const lists: Refusal[] = [
  [{ apps: {} }, 'FIELD_INVALID', inAttribute('.apps', 'must be an array or null')],
  [{ apps: ['shop'] }, 'FIELD_INVALID', inAttribute('.apps[0]', 'must be an object')],
  [{ apps: [{ platform: 'iOS' }] }, 'FIELD_REQUIRED', "'name' is required"],
  [
    { apps: [{ name: 'Shop', first_used: 'once' }] },
    'TIME_INVALID',
    inAttribute('.apps[0].first_used', aTime),
  ],
  [
    { apps: [{ name: 'Shop' }, { name: 'Game', last_used: 'once' }] },
    'TIME_INVALID',
    inAttribute('.apps[1].last_used', aTime),
  ],
  [
    { apps: [{ name: 'Shop', sessions: 1.5 }] },
    'FIELD_INVALID',
    inAttribute('.apps[0].sessions', 'must be a string, a whole number or null'),
  ],
  [
    { apps: Array(501).fill({ name: 'Shop' }) },
    'FIELD_INVALID',
    inAttribute('.apps', 'must not hold more than 500 elements'),
  ],
  [{ devices: [{ model: 'X' }] }, 'FIELD_REQUIRED', "'device_id' is required"],
  [
    { devices: [{ device_id: 5 }] },
    'FIELD_INVALID',
    inAttribute('.devices[0].device_id', 'must be a string'),
  ],
  [{ devices: [{ device_id: 'd', os: 5 }] }, 'FIELD_INVALID', inAttribute('.devices[0].os', textOrNull)],
  [
    { devices: [{ device_id: 'd', ad_tracking_enabled: 1 }] },
    'FIELD_INVALID',
    inAttribute('.devices[0].ad_tracking_enabled', flagOrNull),
  ],
  [
    { devices: [{ device_id: 'd', more: { 'a\0': 1 } }] },
    'FIELD_INVALID',
    inAttribute('.devices[0].more', `has a member name that ${clean}`),
  ],
  [{ campaigns_received: [{}] }, 'FIELD_REQUIRED', "'name' is required"],
  [
    { campaigns_received: [{ name: 'c', last_received: 'x' }] },
    'TIME_INVALID',
    inAttribute('.campaigns_received[0].last_received', aTime),
  ],
  [
    { campaigns_received: [{ name: 'c', engaged: { opened_email: 'yes' } }] },
    'FIELD_INVALID',
    inAttribute('.campaigns_received[0].engaged.opened_email', 'must be a boolean'),
  ],
  [
    { campaigns_received: [{ name: 'c', multiple_converted: { $bad: true } }] },
    'FIELD_INVALID',
    inAttribute('.campaigns_received[0].multiple_converted', 'has a member name that must not begin with $'),
  ],
  [
    { canvases_received: [{ name: 'c', last_exited: 'x' }] },
    'TIME_INVALID',
    inAttribute('.canvases_received[0].last_exited', aTime),
  ],
  [
    { canvases_received: [{ name: 'c', steps_received: [{ last_received: 'x' }] }] },
    'TIME_INVALID',
    inAttribute('.canvases_received[0].steps_received[0].last_received', aTime),
  ],
  [
    { canvases_received: [{ name: 'c', steps_received: 'all' }] },
    'FIELD_INVALID',
    inAttribute('.canvases_received[0].steps_received', 'must be an array or null'),
  ],
  [
    { cards_clicked: [{ name: '' }] },
    'FIELD_INVALID',
    inAttribute('.cards_clicked[0].name', 'must not be empty'),
  ],
];

const named = (cause: string) => inAttribute('', `has an attribute name that ${cause}`);

const customNames: Refusal[] = [
  [{ '': 1 }, 'ATTRIBUTE_NAME_INVALID', named('must not be empty')],
  [{ $set: 1 }, 'ATTRIBUTE_NAME_INVALID', named('must not begin with $')],
  [{ ['x'.repeat(256)]: 1 }, 'ATTRIBUTE_NAME_INVALID', named('must not be longer than 255 characters')],
  [{ 'a\0': null }, 'ATTRIBUTE_NAME_INVALID', named(clean)],
  [{ '\ud800': 1 }, 'ATTRIBUTE_NAME_INVALID', named(clean)],
  [many(1001, 1), 'FIELD_INVALID', inAttribute('', 'must not hold more than 1000 properties')],
];

const aValue = 'must be a string, a number, a boolean, null, an array or an object';
const aScalar = 'must be a string, a number or a boolean';
const noNull = 'must not be null: null removes whole attributes only';
const inc = inAttribute('.visits.inc', 'must be a whole number');

const customValues: Refusal[] = [
  [{ color: 'x'.repeat(256) }, 'ATTRIBUTE_VALUE_INVALID', inAttribute('.color', short)],
  [{ color: '\ud83d' }, 'TEXT_NOT_WELL_FORMED', inAttribute('.color', wellFormed)],
  [json('{"size": 1e999}'), 'ATTRIBUTE_VALUE_INVALID', inAttribute('.size', aValue)],
  [{ visits: { inc: '1' } }, 'ATTRIBUTE_VALUE_INVALID', inc],
  [{ visits: { inc: 1.5 } }, 'ATTRIBUTE_VALUE_INVALID', inc],
  [{ visits: { inc: null } }, 'ATTRIBUTE_VALUE_INVALID', inc],
  [{ visits: { inc: 2 ** 53 } }, 'ATTRIBUTE_VALUE_INVALID', inc],
  [
    { visits: { inc: 1, add: [] } },
    'ATTRIBUTE_OPERATION_INVALID',
    inAttribute('.visits', "must not hold 'inc' beside 'add' or 'remove'"),
  ],
  [{ tags: { add: 'a' } }, 'ATTRIBUTE_OPERATION_INVALID', inAttribute('.tags.add', 'must be an array')],
  [
    { tags: { add: ['a'], remove: { 0: 'b' } } },
    'ATTRIBUTE_OPERATION_INVALID',
    inAttribute('.tags.remove', 'must be an array'),
  ],
  [{ tags: { add: ['x'.repeat(256)] } }, 'ATTRIBUTE_VALUE_INVALID', inAttribute('.tags.add[0]', short)],
  [{ tags: { remove: [{}] } }, 'ATTRIBUTE_VALUE_INVALID', inAttribute('.tags.remove[0]', aScalar)],
  [{ tags: ['a', 'x'.repeat(256)] }, 'ATTRIBUTE_VALUE_INVALID', inAttribute('.tags[1]', short)],
  [{ tags: ['a', '\ud800'] }, 'TEXT_NOT_WELL_FORMED', inAttribute('.tags[1]', wellFormed)],
  [
    { tags: ['a', null] },
    'ATTRIBUTE_ARRAY_INVALID',
    inAttribute('.tags[1]', 'must be a string, a number, a boolean or an object'),
  ],
  [{ tags: [['a']] }, 'ATTRIBUTE_ARRAY_INVALID'],
  [
    { tags: ['a', { b: 1 }] },
    'ATTRIBUTE_ARRAY_INVALID',
    inAttribute('.tags', 'must not hold objects beside other values'),
  ],
  [
    json('{"tags": [1, 1e999]}'),
    'ATTRIBUTE_VALUE_INVALID',
    inAttribute('.tags[1]', 'must be a finite number'),
  ],
  [
    { tags: Array(501).fill('a') },
    'ATTRIBUTE_ARRAY_INVALID',
    inAttribute('.tags', 'must not hold more than 500 elements'),
  ],
];

const member = (place: string, cause: string) => inAttribute(place, `has a member name that ${cause}`);

const nested: Refusal[] = [
  [{ home: { street: { no: null } } }, 'ATTRIBUTE_VALUE_INVALID', inAttribute('.home.street.no', noNull)],
  [{ home: { rooms: ['a', null] } }, 'ATTRIBUTE_VALUE_INVALID', inAttribute('.home.rooms[1]', noNull)],
  [{ home: { city: 'x'.repeat(256) } }, 'ATTRIBUTE_VALUE_INVALID', inAttribute('.home.city', short)],
  [{ home: { city: '\udc00' } }, 'TEXT_NOT_WELL_FORMED', inAttribute('.home.city', wellFormed)],
  [
    json('{"home": {"size": 1e999}}'),
    'ATTRIBUTE_VALUE_INVALID',
    inAttribute('.home.size', 'must be a finite number'),
  ],
  [{ home: { 'the city': 1 } }, 'NESTED_NAME_INVALID', member('.home', 'must not hold spaces, dots or $')],
  [{ home: { 'a.b': 1 } }, 'NESTED_NAME_INVALID', member('.home', 'must not hold spaces, dots or $')],
  [{ home: { a: { b$: 1 } } }, 'NESTED_NAME_INVALID', member('.home.a', 'must not hold spaces, dots or $')],
  [{ home: { '': 1 } }, 'NESTED_NAME_INVALID', member('.home', 'must not be empty')],
  [{ home: { 'a\0': 1 } }, 'NESTED_NAME_INVALID', member('.home', clean)],
  [{ home: { ['x'.repeat(256)]: 1 } }, 'NESTED_NAME_INVALID', member('.home', short)],
  [{ home: { $set: 1 } }, 'NESTED_NAME_INVALID', member('.home', 'must not hold spaces, dots or $')],
  [{ since: { $time: 'x' } }, 'TIME_INVALID', inAttribute('.since.$time', aTime)],
  [
    { since: { $time: time, zone: 1 } },
    'TIME_INVALID',
    inAttribute('.since', "must hold nothing beside '$time'"),
  ],
  [{ home: { since: { $time: 'x' } } }, 'TIME_INVALID', inAttribute('.home.since.$time', aTime)],
  [{ home: { since: { $time: 5 } } }, 'TIME_INVALID', inAttribute('.home.since.$time', aTime)],
  [
    { home: { since: { $time: time, zone: 1 } } },
    'TIME_INVALID',
    inAttribute('.home.since', "must hold nothing beside '$time'"),
  ],
  [
    { home: many(500, 'x'.repeat(250)) },
    'ATTRIBUTE_TOO_LARGE',
    inAttribute('.home', 'must not be larger than 100 KB'),
  ],
  [{ home: many(500, 'ü'.repeat(125)) }, 'ATTRIBUTE_TOO_LARGE'],
  [{ pets: [{ name: null }] }, 'ATTRIBUTE_VALUE_INVALID', inAttribute('.pets[0].name', noNull)],
  [
    { pets: [{ id: 1 }, { 'a.b': 1 }] },
    'NESTED_NAME_INVALID',
    member('.pets[1]', 'must not hold spaces, dots or $'),
  ],
  [{ pets: Array(500).fill({ name: 'x'.repeat(250) }) }, 'ATTRIBUTE_TOO_LARGE'],
];

const found = { $identifier_key: 'id', $identifier_value: 1 };
const findsTwo = 'must be an object of $identifier_key and $identifier_value';
const findsThree = 'must be an object of $identifier_key, $identifier_value, $new_object';

const objectChanges: Refusal[] = [
  [{ $add: {} }, 'ATTRIBUTE_OPERATION_INVALID', inAttribute('.pets.$add', 'must be an array of objects')],
  [{ $add: ['a'] }, 'ATTRIBUTE_OPERATION_INVALID', inAttribute('.pets.$add[0]', 'must be an object')],
  [{ $add: [{ a: null }] }, 'ATTRIBUTE_VALUE_INVALID', inAttribute('.pets.$add[0].a', noNull)],
  [{ $remove: [{}] }, 'ATTRIBUTE_OPERATION_INVALID', inAttribute('.pets.$remove[0]', findsTwo)],
  [
    { $remove: found },
    'ATTRIBUTE_OPERATION_INVALID',
    inAttribute('.pets.$remove', 'must be an array of objects'),
  ],
  [
    { $remove: [{ ...found, $new_object: {} }] },
    'ATTRIBUTE_OPERATION_INVALID',
    inAttribute('.pets.$remove[0]', findsTwo),
  ],
  [
    { $remove: [{ ...found, $identifier_key: 5 }] },
    'ATTRIBUTE_OPERATION_INVALID',
    inAttribute('.pets.$remove[0].$identifier_key', 'must be a string'),
  ],
  [
    { $remove: [{ ...found, $identifier_value: null }] },
    'ATTRIBUTE_VALUE_INVALID',
    inAttribute('.pets.$remove[0].$identifier_value', aScalar),
  ],
  [{ $update: [found] }, 'ATTRIBUTE_OPERATION_INVALID', inAttribute('.pets.$update[0]', findsThree)],
  [
    { $update: [{ ...found, $new_object: 'x' }] },
    'ATTRIBUTE_OPERATION_INVALID',
    inAttribute('.pets.$update[0].$new_object', 'must be an object'),
  ],
  [
    { $update: [{ ...found, $new_object: { a: { b: null } } }] },
    'ATTRIBUTE_VALUE_INVALID',
    inAttribute('.pets.$update[0].$new_object.a.b', noNull),
  ],
  [
    { $update: [{ ...found, $identifier_key: 'a.b', $new_object: {} }] },
    'ATTRIBUTE_OPERATION_INVALID',
    inAttribute('.pets.$update[0].$identifier_key', 'must not hold spaces, dots or $'),
  ],
  [{ $add: [], color: 'red' }, 'NESTED_NAME_INVALID', member('.pets', 'must not hold spaces, dots or $')],
  [
    { $add: Array(500).fill({ name: 'x'.repeat(250) }) },
    'ATTRIBUTE_TOO_LARGE',
    inAttribute('.pets', 'must not be larger than 100 KB'),
  ],
];

type Place = ReturnType<typeof at>;

const inProperties = (place: Place): Refusal[] => {
  const name = (cause: string) => place('.properties', `has a name that ${cause}`);
  return [
    [[], 'FIELD_INVALID', place('.properties', 'must be an object or null')],
    ['a', 'FIELD_INVALID', place('.properties', 'must be an object or null')],
    [{ '': 1 }, 'PROPERTY_NAME_INVALID', name('must not be empty')],
    [{ $a: 1 }, 'PROPERTY_NAME_INVALID', name('must not begin with $')],
    [{ ['x'.repeat(256)]: 1 }, 'PROPERTY_NAME_INVALID', name('must not be longer than 255 characters')],
    [{ 'a\0': 1 }, 'PROPERTY_NAME_INVALID', name(clean)],
    [{ '\ud800': 1 }, 'PROPERTY_NAME_INVALID', name(clean)],
    [
      { a: { b: [{ 'c\0': 1 }] } },
      'PROPERTY_NAME_INVALID',
      place('.properties.a.b[0]', `has a name that ${clean}`),
    ],
    [{ time: 1 }, 'PROPERTY_NAME_RESERVED', place('.properties', "must not hold the reserved name 'time'")],
    [
      { event_name: 1 },
      'PROPERTY_NAME_RESERVED',
      place('.properties', "must not hold the reserved name 'event_name'"),
    ],
    [{ a: 'x'.repeat(256) }, 'PROPERTY_VALUE_INVALID', place('.properties.a', short)],
    [json('{"a": 1e999}'), 'PROPERTY_VALUE_INVALID', place('.properties.a', 'must be a finite number')],
    [
      json('{"a": [{"b": -1e999}]}'),
      'PROPERTY_VALUE_INVALID',
      place('.properties.a[0].b', 'must be a finite number'),
    ],
    [{ a: '\ud800' }, 'TEXT_NOT_WELL_FORMED', place('.properties.a', wellFormed)],
    [{ a: [{ b: '\ud800' }] }, 'TEXT_NOT_WELL_FORMED', place('.properties.a[0].b', wellFormed)],
    [
      { a: ['x'.repeat(102_400)] },
      'PROPERTIES_TOO_LARGE',
      place('.properties', 'must not be larger than 100 KB when it holds arrays or objects'),
    ],
    [{ a: ['ü'.repeat(51_200)] }, 'PROPERTIES_TOO_LARGE'],
    [{ ...many(255, 'x'.repeat(255)), a: { b: 'x'.repeat(50_000) } }, 'PROPERTIES_TOO_LARGE'],
    [many(257, 1), 'TOO_MANY_PROPERTIES', place('.properties', 'must not hold more than 256 properties')],
  ];
};

const occurrences = (array: EntryList, entry: (more: object) => object): Refusal[] => {
  const place = at(array);
  return [
    [entry({ properties: { deep } }), 'ENTRY_TOO_DEEP', place('', flatter)],
    [entry({ properties: { a: 2n ** 63n } }), 'NUMBER_OUT_OF_RANGE', place('.properties.a', tooLong)],
    ['x', 'ENTRY_NOT_AN_OBJECT', place('', 'must be an object')],
    [without(entry({}), 'external_id'), 'IDENTIFIER_REQUIRED', required],
    [entry({ service_id: 's' }), 'IDENTIFIER_AMBIGUOUS', only],
    [entry({ external_id: 'null' }), 'BLACKLISTED_EXTERNAL_USER_ID', blocked],
    [entry({ external_id: 'x'.repeat(988) }), 'EXTERNAL_USER_ID_TOO_LARGE', tooLongId],
    [without(entry({ email: 'nobody' }), 'external_id'), 'EMAIL_BAD_FORMAT'],
    [without(entry({ phone: '12' }), 'external_id'), 'PHONE_INVALID'],
    [
      without(entry({ user_alias: { ...alias, alias_name: 'x'.repeat(237) } }), 'external_id'),
      'ALIAS_TOO_LARGE',
    ],
    [without(entry({}), 'time'), 'FIELD_REQUIRED', "'time' is required"],
    [entry({ time: 1700000000 }), 'FIELD_INVALID', place('.time', 'must be a string')],
    [entry({ time: null }), 'FIELD_INVALID', place('.time', 'must be a string')],
    [entry({ time: '2023-02-30' }), 'TIME_INVALID', place('.time', aTime)],
    [entry({ time: 'x' }), 'TIME_INVALID', place('.time', aTime)],
    [entry({ time: '1700000000' }), 'TIME_INVALID', place('.time', aTime)],
    [entry({ time: '3001-01-01' }), 'TIME_INVALID', place('.time', aTime)],
    [entry({ app_id: 5 }), 'FIELD_INVALID', place('.app_id', 'must be a string or null')],
    [entry({ app_id: 'a\0' }), 'TEXT_NOT_WELL_FORMED', place('.app_id', clean)],
    [
      entry({ _update_existing_only: 1 }),
      'FIELD_INVALID',
      place('._update_existing_only', 'must be a boolean'),
    ],
    ...inProperties(place).map(([properties, ...rest]): Refusal => [entry({ properties }), ...rest]),
  ];
};

const eventsOnly: Refusal[] = [
  [without(anEvent({}), 'name'), 'FIELD_REQUIRED', "'name' is required"],
  [anEvent({ name: 5 }), 'FIELD_INVALID', inEvent('.name', 'must be a string')],
  [anEvent({ name: '' }), 'FIELD_INVALID', inEvent('.name', 'must not be empty')],
  [anEvent({ name: 'x'.repeat(256) }), 'FIELD_INVALID', inEvent('.name', short)],
  [anEvent({ name: 'a\0' }), 'TEXT_NOT_WELL_FORMED', inEvent('.name', clean)],
  [anEvent({ name: '\ud800' }), 'TEXT_NOT_WELL_FORMED', inEvent('.name', clean)],
];

const quantity = "'quantity' is not valid";
const currency = "'currency' must be an ISO 4217 currency code";

const purchasesOnly: Refusal[] = [
  ...['product_id', 'currency', 'price'].map(
    (name): Refusal => [without(aPurchase({}), name), 'FIELD_REQUIRED', `'${name}' is required`],
  ),
  ...[0, 101, 1.5, '1', -1, true].map(
    (wrong): Refusal => [aPurchase({ quantity: wrong }), 'QUANTITY_INVALID', quantity],
  ),
  ...['usd', 'XXX', 'DEM', '', 'US', 'EURO', '978'].map(
    (wrong): Refusal => [aPurchase({ currency: wrong }), 'CURRENCY_INVALID', currency],
  ),
  [aPurchase({ currency: 5 }), 'FIELD_INVALID', inPurchase('.currency', 'must be a string')],
  [aPurchase({ price: '4.5' }), 'FIELD_INVALID', inPurchase('.price', 'must be a number')],
  [aPurchase({ price: null }), 'FIELD_INVALID', inPurchase('.price', 'must be a number')],
  [aPurchase(json('{"price": 1e999}')), 'FIELD_INVALID', inPurchase('.price', 'must be a number')],
  [aPurchase({ price: 1e16 }), 'FIELD_INVALID', inPurchase('.price', 'must be at most 1000000000000000')],
  [aPurchase({ price: -1e16 }), 'FIELD_INVALID', inPurchase('.price', 'must be at least -1000000000000000')],
  [aPurchase({ product_id: '' }), 'FIELD_INVALID', inPurchase('.product_id', 'must not be empty')],
  [aPurchase({ product_id: 5 }), 'FIELD_INVALID', inPurchase('.product_id', 'must be a string')],
  [aPurchase({ product_id: 'x'.repeat(256) }), 'FIELD_INVALID', inPurchase('.product_id', short)],
  [aPurchase({ product_id: 'a\0' }), 'TEXT_NOT_WELL_FORMED', inPurchase('.product_id', clean)],
];

const ofAda = (refusals: Refusal[], wrap = (more: unknown): object => more as object): Refusal[] =>
  refusals.map(([more, ...rest]) => [anAttribute(wrap(more)), ...rest]);

export const byMember: Readonly<Record<EntryList, readonly Refusal[]>> = {
  attributes: [
    ...requiredOfAttributes,
    ...ofAda([...fields, ...locations, ...lists, ...customNames, ...customValues, ...nested]),
    ...pushTokens,
    ...ofAda(subscriptionGroups, (subscription_groups) => ({ subscription_groups })),
    ...ofAda(objectChanges, (pets) => ({ pets })),
  ],
  events: [...occurrences('events', anEvent), ...eventsOnly],
  purchases: [...occurrences('purchases', aPurchase), ...purchasesOnly],
};
