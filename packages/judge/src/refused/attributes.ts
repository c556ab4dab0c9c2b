/** Attribute objects that are refused. */
import { deep, entriesOf, many, said } from './entries-of.ts';
import { identifiers, reachable } from './identifiers.ts';
import { type Refused, time } from './refused.ts';

const base = { external_id: 'ada' };
const { at, refused, wrong, fixed, wrongEach, noObject } = entriesOf('attributes', base);
const beside = (members: object) => entriesOf('attributes', base, members);
const nobody = entriesOf('attributes', {});

const names = ['first_name', 'last_name', 'home_city', 'country', 'language'];
const times = [
  ...['date_of_first_session', 'date_of_last_session', 'marked_email_as_spam_at'],
  ...['push_opted_in_at', 'uninstalled_at'],
];
const noTimes = ['yesterday', 'long ago', 'once', 'soon', 'x', '2026-13-01', '1700000000'];
const attribution = ['ad', 'adgroup', 'campaign', 'source'].map((what) => `attributed_${what}`);

const fields: Refused[] = [
  ...wrongEach(
    'FIELD_INVALID',
    said.textOrNull,
    [...names, 'time_zone', 'image_url', 'gender', 'dob', ...times, ...attribution, 'facebook.id'],
    [5, true, {}, ['a']],
  ),
  ...wrongEach('FIELD_INVALID', said.short, [...names, ...attribution], ['x'.repeat(256)]),
  ...wrongEach('TEXT_NOT_WELL_FORMED', said.wellFormed, names, ['\udfff']),
  ...wrong('FIELD_INVALID', 'must not be longer than 2048 characters', { image_url: ['x'.repeat(2049)] }),
  ...wrong('FIELD_INVALID', "must be one of 'M', 'F', 'O', 'N', 'P', 'nil', null", {
    gender: ['X', 'm', 'male'],
  }),
  ...wrong('TIME_INVALID', 'must be a date such as 1984-02-29', {
    dob: ['1990-01-01T00:00:00Z', '1990-02-30', '1985-02-29', '12/31/1990', '02/28/1985'],
  }),
  ...wrongEach('TIME_INVALID', said.aTime, times, noTimes),
  ...['email_subscribe', 'push_subscribe'].flatMap((name) =>
    refused(
      name === 'email_subscribe' ? 'BAD_EMAIL_SUBSCRIPTION_STATE' : 'BAD_PUSH_SUBSCRIPTION_STATE',
      `'${name}' must be 'subscribed', 'unsubscribed', or 'opted_in'`,
      ...['yes', 'perhaps', 'Subscribed', 'OPTED_IN', true, 1].map((state) => ({ [name]: state })),
    ),
  ),
  ...fixed(
    'INVALID_ATTRIBUTE_EMAIL_SUBSCRIPTION_INFO',
    "'email_subscription_info' is not a valid attribute",
    { email_subscription_info: [{}, 1] },
  ),
  ...wrongEach(
    'FIELD_INVALID',
    said.flagOrNull,
    ['email_open_tracking_disabled', 'email_click_tracking_disabled'],
    ['no', 0],
  ),
  ...wrongEach(
    'FIELD_INVALID',
    said.flag,
    ['_update_existing_only', '_merge_objects', 'push_token_import'],
    ['true', 'yes'],
  ),
  ...wrongEach('FIELD_INVALID', 'must be an object or null', ['facebook', 'twitter'], ['ada', []]),
  ...wrong('FIELD_INVALID', 'must be an array or null', { 'facebook.likes': ['tea'] }),
  ...wrong('FIELD_INVALID', said.text, { 'facebook.likes[0]': [5] }),
  ...wrong('TEXT_NOT_WELL_FORMED', said.wellFormed, { 'facebook.likes[0]': ['\ud800'] }),
  ...wrong('FIELD_INVALID', 'must be a whole number or null', { 'facebook.num_friends': [1.5, 'many'] }),
  ...wrong('FIELD_INVALID', `has a member name that ${said.clean}`, { facebook: [{ 'a\0': 1 }] }),
  ...wrong('NUMBER_OUT_OF_RANGE', said.inRange, { 'twitter.id': [2n ** 63n] }),
  ...wrong('FIELD_INVALID', 'must be at most 9223372036854776000', { 'twitter.id': [2 ** 64] }),
  ...wrong('FIELD_INVALID', 'must be at least 0', { 'twitter.followers_count': [-1] }),
];

const locations: Refused[] = [
  ...fixed('BAD_LOCATION_UPDATE', "'current_location' must be an object with 'longitude' and 'latitude'", {
    current_location: [
      ...['London', [1, 2], { longitude: 1 }],
      ...[2, '2'].map((latitude) => ({ longitude: '1', latitude })),
    ],
  }),
  ...[90.5, -91].flatMap((latitude) =>
    refused('BAD_LOCATION_UPDATE', at('.current_location.latitude', 'must be from -90 to 90'), {
      current_location: { longitude: 0, latitude },
    }),
  ),
  ...[181, -181].flatMap((longitude) =>
    refused('BAD_LOCATION_UPDATE', at('.current_location.longitude', 'must be from -180 to 180'), {
      current_location: { longitude, latitude: 0 },
    }),
  ),
  ...wrong('FIELD_INVALID', "must not hold 'altitude'", {
    current_location: [{ longitude: 1, latitude: 2, altitude: 3 }],
  }),
  ...wrong('FIELD_INVALID', 'must hold at least 2 elements', { last_coordinates: [[1]] }),
  ...wrong('FIELD_INVALID', 'must not hold more than 2 elements', { last_coordinates: [[1, 2, 3]] }),
  ...refused(
    'FIELD_INVALID',
    at('.last_coordinates[0]', 'must be a number'),
    { last_coordinates: ['1', 2] },
    { last_coordinates: ['1', '2'] },
  ),
  ...refused('BAD_LOCATION_UPDATE', at('.last_coordinates[1]', 'must be from -90 to 90'), {
    last_coordinates: [1, 91],
  }),
  ...refused('BAD_LOCATION_UPDATE', at('', "must not hold both 'current_location' and 'last_coordinates'"), {
    last_coordinates: [1, 2],
    current_location: { longitude: 1, latitude: 2 },
  }),
];

const token = { app_id: 'shop', token: 't1' };
const inTokens = beside(token);
const tokenValue = "'push_tokens' must be an array of objects";

const pushTokens: Refused[] = [
  ...fixed('BAD_PUSH_TOKEN_VALUE', tokenValue, { push_tokens: [token, 'abc', ['abc'], [token, null]] }),
  ...inTokens.fixed('BAD_PUSH_TOKEN_STRING', "'token' must be a string", {
    push_tokens: [[{ app_id: 'shop' }]],
    'push_tokens[0].token': [5, ''],
  }),
  ...inTokens.fixed('BAD_PUSH_TOKEN_APP_ID', "'app_id' must be an app of the workspace", {
    push_tokens: [[{ token: 't1' }], [{ token: 't1', app: 'other' }]],
    'push_tokens[0].app': ['other'],
    'push_tokens[0].app_id': ['other', 5, 'x'.repeat(256)],
  }),
  ...inTokens.fixed(
    'BAD_DEVICE_ID',
    "token import with 'device_id' must have a device_id less than 255 bytes and at least 8 bytes",
    {
      'push_tokens[0].device_id': [
        ...['1234567', 'x'.repeat(255), 'ü'.repeat(128), 12345678, 'x'.repeat(1025), 'x'.repeat(2000)],
      ],
    },
  ),
  ...inTokens.wrong('FIELD_INVALID', said.flagOrNull, { 'push_tokens[0].notifications_enabled': ['yes'] }),
  ...inTokens.wrong('TEXT_NOT_WELL_FORMED', said.wellFormed, { 'push_tokens[0].token': ['\ud800'] }),
  ...nobody.refused(
    'BAD_PUSH_TOKEN_IMPORT',
    "token import must contain 'push_tokens' and neither 'external_id' nor 'service_id'",
    { push_token_import: true },
    { push_token_import: true, push_tokens: [] },
    { push_token_import: true, push_tokens: null, email: 'a@example.com' },
    { push_token_import: true, push_tokens: [token], external_id: 'ada' },
    { push_token_import: true, push_tokens: [token], service_id: 's' },
  ),
  ...nobody.refused('BAD_PUSH_TOKEN_VALUE', tokenValue, { push_token_import: true, push_tokens: {} }),
];

const group = { subscription_group_id: 'news', subscription_state: 'subscribed' };
const inGroups = beside(group);

const subscriptionGroups: Refused[] = [
  ...fixed('BAD_SUBSCRIPTION_GROUP_ARRAY', "'subscription_groups' must be an array", {
    subscription_groups: ['news', {}, group],
  }),
  ...fixed(
    'BAD_SUBSCRIPTION_GROUP_HASH',
    "'subscription_groups' must hold objects with 'subscription_group_id' and 'subscription_state'",
    {
      'subscription_groups[0]': ['news', { subscription_group_id: 'news' }, { id: 'news' }],
      'subscription_groups[0].subscription_state': ['subscribed'],
      'subscription_groups[0].state': ['subscribed'],
    },
  ),
  ...inGroups.fixed(
    'BAD_SUBSCRIPTION_GROUP_ID',
    "'subscription_group_id' must be a subscription group of the workspace",
    {
      'subscription_groups[0].subscription_group_id': ['unknown', 5],
      subscription_groups: [
        [{ id: 'other', state: 'subscribed' }],
        [group, { ...group, subscription_group_id: 'unknown' }],
      ],
    },
  ),
  ...inGroups.fixed(
    'BAD_SUBSCRIPTION_GROUP_STATE',
    "'subscription_state' must be 'subscribed' or 'unsubscribed'",
    {
      'subscription_groups[0].subscription_state': ['opted_in', true],
      subscription_groups: [[{ id: 'news', state: 'opted_in' }]],
    },
  ),
  ...inGroups.wrong('FIELD_INVALID', said.flag, {
    'subscription_groups[0].use_double_opt_in_logic': ['yes'],
  }),
];

const listNames = ['apps', 'devices', 'campaigns_received', 'canvases_received', 'cards_clicked'];
const inLists = beside({ name: 'c' });
const inDevices = beside({ device_id: 'd' });

const lists: Refused[] = [
  ...wrongEach('FIELD_INVALID', 'must be an array or null', listNames, [{}, 'x', 1]),
  ...wrongEach(
    'FIELD_INVALID',
    said.anObject,
    listNames.map((name) => `${name}[0]`),
    ['x'],
  ),
  ...fixed('FIELD_REQUIRED', "'name' is required", {
    'apps[0].platform': ['iOS'],
    'campaigns_received[0]': [{}],
  }),
  ...fixed('FIELD_REQUIRED', "'device_id' is required", { 'devices[0].model': ['X'] }),
  ...refused('TIME_INVALID', at('.apps[1].last_used', said.aTime), {
    apps: [{ name: 'Shop' }, { name: 'Game', last_used: 'once' }],
  }),
  ...inLists.wrong('TIME_INVALID', said.aTime, {
    'apps[0].first_used': ['once'],
    'campaigns_received[0].last_received': ['x'],
    'canvases_received[0].last_exited': ['x'],
    'canvases_received[0].steps_received[0].last_received': ['x'],
  }),
  ...inLists.wrong('FIELD_INVALID', 'must be a string, a whole number or null', {
    'apps[0].sessions': [1.5, true],
  }),
  ...wrong('FIELD_INVALID', 'must not hold more than 500 elements', {
    apps: [Array(501).fill({ name: 'Shop' })],
  }),
  ...wrong('FIELD_INVALID', said.text, { 'devices[0].device_id': [5] }),
  ...inDevices.wrong('FIELD_INVALID', said.textOrNull, { 'devices[0].os': [5] }),
  ...inDevices.wrong('FIELD_INVALID', said.flagOrNull, { 'devices[0].ad_tracking_enabled': [1] }),
  ...inDevices.wrong('FIELD_INVALID', `has a member name that ${said.clean}`, {
    'devices[0].more': [{ 'a\0': 1 }],
  }),
  ...inLists.wrong('FIELD_INVALID', said.flag, {
    'campaigns_received[0].engaged.opened_email': ['yes'],
  }),
  ...inLists.wrong('FIELD_INVALID', 'has a member name that must not begin with $', {
    'campaigns_received[0].multiple_converted': [{ $bad: true }],
  }),
  ...inLists.wrong('FIELD_INVALID', 'must be an array or null', {
    'canvases_received[0].steps_received': ['all'],
  }),
  ...wrong('FIELD_INVALID', said.notEmpty, { 'cards_clicked[0].name': [''] }),
];

const badName = 'ATTRIBUTE_NAME_INVALID';
const named = (what: string) => at('', `has an attribute name that ${what}`);

const customNames: Refused[] = [
  ...refused(badName, named(said.notEmpty), { '': 1 }),
  ...refused(badName, named('must not begin with $'), { $set: 1 }),
  ...refused(badName, named(said.short), { ['x'.repeat(256)]: 1 }),
  ...refused(badName, named(said.clean), { 'a\0': null }, { 'a\0b': 1 }, { '\ud800': 1 }),
  ...refused('FIELD_INVALID', at('', 'must not hold more than 1000 properties'), many(1001, 1)),
];

const aScalar = 'must be a string, a number or a boolean';
const anElement = 'must be a string, a number, a boolean or an object';

const customValues: Refused[] = [
  ...wrongEach(
    'ATTRIBUTE_VALUE_INVALID',
    said.short,
    ['plan', 'tags[0]', 'tags.add[0]', 'home.city'],
    ['x'.repeat(256)],
  ),
  ...wrongEach(
    'TEXT_NOT_WELL_FORMED',
    said.wellFormed,
    ['plan', 'home.city'],
    ['\ud800', '\ud83d', '\udc00'],
  ),
  ...wrong('ATTRIBUTE_VALUE_INVALID', 'must be a string, a number, a boolean, null, an array or an object', {
    size: [Number.POSITIVE_INFINITY],
  }),
  ...wrong('ATTRIBUTE_VALUE_INVALID', 'must be a whole number', {
    'visits.inc': ['1', 1.5, null, 2 ** 53],
  }),
  ...wrong('NUMBER_OUT_OF_RANGE', said.inRange, { 'visits.inc': [2n ** 64n] }),
  ...refused('NUMBER_OUT_OF_RANGE', at('.a[1].b', said.inRange), { a: [1, { b: -(2n ** 64n) }] }),
  ...wrong('ATTRIBUTE_OPERATION_INVALID', "must not hold 'inc' beside 'add' or 'remove'", {
    visits: [{ inc: 1, add: [] }],
  }),
  ...wrong('ATTRIBUTE_OPERATION_INVALID', 'must be an array', { 'tags.add': ['a'], 'tags.remove': ['a'] }),
  ...refused('ATTRIBUTE_OPERATION_INVALID', at('.tags.remove', 'must be an array'), {
    tags: { add: ['a'], remove: { 0: 'b' } },
  }),
  ...wrong('ATTRIBUTE_VALUE_INVALID', aScalar, { 'tags.add[0]': [{}], 'tags.remove[0]': [{}] }),
  ...wrong('ATTRIBUTE_ARRAY_INVALID', anElement, {
    'tags[0]': [[1], ['a'], null],
    'tags.add[0]': [null],
    'tags.remove[0]': [[1]],
  }),
  ...refused('ATTRIBUTE_ARRAY_INVALID', at('.tags[1]', anElement), { tags: ['a', null] }),
  ...refused('ATTRIBUTE_VALUE_INVALID', at('.tags[1]', said.short), { tags: ['a', 'x'.repeat(256)] }),
  ...refused('TEXT_NOT_WELL_FORMED', at('.tags[1]', said.wellFormed), { tags: ['a', '\ud800'] }),
  ...refused('ATTRIBUTE_VALUE_INVALID', at('.tags[1]', said.finite), { tags: [1, Number.POSITIVE_INFINITY] }),
  ...wrong('ATTRIBUTE_ARRAY_INVALID', 'must not hold objects beside other values', {
    tags: [
      ['a', {}],
      ['a', { b: 1 }],
    ],
  }),
  ...wrong('ATTRIBUTE_ARRAY_INVALID', 'must not hold more than 500 elements', {
    tags: [Array(501).fill('a'), Array.from({ length: 501 }, (_, index) => `v${index}`)],
  }),
];

const noNull = 'must not be null: null removes whole attributes only';
const memberName = (what: string) => `has a member name that ${what}`;

const nested: Refused[] = [
  ...wrongEach(
    'ATTRIBUTE_VALUE_INVALID',
    noNull,
    ['home.a', 'home.street.no', 'home.a.b[0].c', 'pets[0].name', 'pets.$add[0].a'],
    [null],
  ),
  ...refused('ATTRIBUTE_VALUE_INVALID', at('.home.rooms[1]', noNull), { home: { rooms: ['a', null] } }),
  ...wrong('ATTRIBUTE_VALUE_INVALID', said.finite, { 'home.size': [Number.POSITIVE_INFINITY] }),
  ...wrong('NESTED_NAME_INVALID', memberName('must not hold spaces, dots or $'), {
    home: [{ 'a b': 1 }, { 'the city': 1 }, { 'a.b': 1 }, { a$: 1 }, { $set: 1 }],
    'home.a': [{ b$: 1 }],
    pets: [{ $delete: [] }, { $add: [], color: 'red' }, { $add: [{ id: 1 }], other: 1 }],
  }),
  ...refused('NESTED_NAME_INVALID', at('.pets[1]', memberName('must not hold spaces, dots or $')), {
    pets: [{ id: 1 }, { 'a.b': 1 }],
  }),
  ...wrong('NESTED_NAME_INVALID', memberName(said.notEmpty), { home: [{ '': 1 }] }),
  ...wrong('NESTED_NAME_INVALID', memberName(said.clean), { home: [{ 'a\0': 1 }] }),
  ...wrong('NESTED_NAME_INVALID', memberName(said.short), { home: [{ ['x'.repeat(256)]: 1 }] }),
  ...wrongEach('TIME_INVALID', said.aTime, ['since.$time', 'home.since.$time'], ['x', 'soon', 5]),
  ...wrongEach(
    'TIME_INVALID',
    "must hold nothing beside '$time'",
    ['since', 'home.since'],
    [
      { $time: time, zone: 1 },
      { $time: '2026-01-01', b: 1 },
    ],
  ),
  ...wrong('ATTRIBUTE_TOO_LARGE', 'must not be larger than 100 KB', {
    home: [
      many(500, 'x'.repeat(250)),
      many(500, 'ü'.repeat(125)),
      { a: Array.from({ length: 1100 }, () => 'x'.repeat(100)) },
    ],
    pets: [
      Array(500).fill({ name: 'x'.repeat(250) }),
      { $add: Array(500).fill({ name: 'x'.repeat(250) }) },
      { $add: Array.from({ length: 600 }, (_, id) => ({ id, name: 'x'.repeat(180) })) },
    ],
  }),
];

const found = { $identifier_key: 'id', $identifier_value: 1 };
const badOperation = 'ATTRIBUTE_OPERATION_INVALID';
const inChanges = beside(found);

const objectChanges: Refused[] = [
  ...wrong(badOperation, 'must be an array of objects', { 'pets.$add': [{}], 'pets.$remove': [found] }),
  ...wrong(badOperation, said.anObject, { 'pets.$add[0]': ['a', 'cat'] }),
  ...wrong(badOperation, 'must be an object of $identifier_key and $identifier_value', {
    'pets.$remove[0]': [
      {},
      { $identifier_value: 1 },
      { $identifier_key: 'id' },
      { ...found, $new_object: {} },
    ],
  }),
  ...wrong(badOperation, 'must be an object of $identifier_key, $identifier_value, $new_object', {
    'pets.$update[0]': [found],
  }),
  ...inChanges.wrong(badOperation, said.text, { 'pets.$remove[0].$identifier_key': [5] }),
  ...inChanges.wrong('ATTRIBUTE_VALUE_INVALID', aScalar, { 'pets.$remove[0].$identifier_value': [null] }),
  ...inChanges.wrong(badOperation, said.anObject, { 'pets.$update[0].$new_object': ['x'] }),
  ...inChanges.wrong('ATTRIBUTE_VALUE_INVALID', noNull, { 'pets.$update[0].$new_object.a.b': [null] }),
  ...beside({ ...found, $new_object: {} }).wrong(badOperation, said.text, {
    'pets.$update[0].$identifier_key': [1],
  }),
  ...beside({ ...found, $new_object: {} }).wrong(badOperation, 'must not hold spaces, dots or $', {
    'pets.$update[0].$identifier_key': ['a.b'],
  }),
];

export const attributes: readonly Refused[] = [
  ...noObject('text', 7, null, [], true),
  ...refused('ENTRY_TOO_DEEP', at('', said.flatter), { deep }),
  ...identifiers('attributes', {}),
  ...nobody.refused(
    'IDENTIFIER_REQUIRED',
    said.nobody,
    { plan: 'gold' },
    { push_token_import: 'true', push_tokens: [] },
    { push_token_import: false, push_tokens: [token] },
  ),
  ...reachable('attributes', base),
  ...fields,
  ...locations,
  ...pushTokens,
  ...subscriptionGroups,
  ...lists,
  ...customNames,
  ...customValues,
  ...nested,
  ...objectChanges,
];
