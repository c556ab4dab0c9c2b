/** What is a difference, and what is none: answers as texts, as the two services write them. */
import { createComparison } from './comparison.ts';
import { type PlaceRules, placesOf } from './places.ts';
import { writtenJson } from './written-json.ts';

const told = (text: string, headers = {}, status = 200) => ({ status, headers, body: writtenJson(text) });
const placesIn = (theirs: string, ours: string, rules: Partial<PlaceRules> = {}) =>
  placesOf(told(theirs), told(ours), { ignored: new Set(['created_at']), ...rules });

const user = (members: string) => `{"users":[{${members}}]}`;
const custom = (members: string) => user(`"custom_attributes":{${members}}`);
const nested = (depth: number, inner: number) => `{"a":${'['.repeat(depth)}${inner}${']'.repeat(depth)}}`;

it.each<[string, string, string[]]>([
  ['{"a":1}', '{"a":1,"b":2}', []],
  ['{"a":1}', '{"a":"1"}', ['a']],
  ['{"a":[1,2]}', '{"a":[1]}', ['a[] (how many)']],
  ['{"a":[{"b":1},{"b":2}]}', '{"a":[{"b":0},{"b":0}]}', ['a[].b']],
  ['text', '{"a":1}', ['(the body)']],
  ['{"created_at":1}', '{}', []],
  ['null', 'null', []],
  ['[]', '{}', ['(the body)']],
  // Roster adds to known sentences; another sentence is another one.
  ['{"message":"Invalid API key"}', '{"message":"Invalid API key: the header is missing"}', []],
  ['{"message":"no JSON"}', '{"message":"no JSON The JSON is wrong at line 1, column 2."}', []],
  ['{"message":"Invalid API key"}', '{"message":"Invalid API keys"}', ['message']],
  ['{"a":{"message":"x"}}', '{"a":{"message":"x: y"}}', ['a.message']],
  // Empty bodies.
  ['', '', []],
  ['', '{}', ['(the body)']],
  ['{"message":"success"}', '', ['(the body)']],
  ['null', '', ['(the body)']],
  // Missing is null, everywhere; of a person also false and what is empty.
  ['{"a":null}', '{}', []],
  ['{}', '{"a":null}', []],
  ['{"a":[{"b":null}]}', '{"a":[{}]}', []],
  ['{"a":false}', '{}', ['a (missing)']],
  ['{"a":[]}', '{}', ['a (missing)']],
  [user('"apps":[],"phone":"","is":false,"sum":0,"twitter":{}'), user(''), []],
  [user(''), user('"custom_attributes":{},"total_revenue":0'), []],
  [user('"apps":[{"name":"a"}]'), user(''), ['users[].apps (missing)']],
  [user('"push_tokens":[{"token":"t","on":null}]'), user('"push_tokens":[{"token":"t","on":false}]'), []],
  [custom('"a":false'), custom(''), ['users[].custom_attributes.a (missing)']],
  [custom('"a":null'), custom(''), []],
  [custom(''), custom('"a":0'), ['users[].custom_attributes.a (only here)']],
  [user('"phone":null'), user('"phone":"+1"'), ['users[].phone (only here)']],
  [user(''), user('"subscription_groups":[{"id":"g"}]'), []],
  [
    user('"subscription_groups":[]'),
    user('"subscription_groups":[{"id":"g"}]'),
    ['users[].subscription_groups (only here)'],
  ],
  // What nobody has stated is `subscribed`.
  [user('"email_subscribe":"subscribed"'), user(''), []],
  [user(''), user('"push_subscribe":"subscribed"'), []],
  [user('"email_subscribe":"unsubscribed"'), user(''), ['users[].email_subscribe']],
  [user('"email_subscribe":"subscribed"'), user('"email_subscribe":"opted_in"'), ['users[].email_subscribe']],
  [
    custom('"email_subscribe":"subscribed"'),
    custom(''),
    ['users[].custom_attributes.email_subscribe (missing)'],
  ],
  ['{"email_subscribe":"subscribed"}', '{}', ['email_subscribe (missing)']],
  // Errors that only Roster has.
  ['{"message":"success"}', '{"message":"success","errors":[{"index":0}]}', ['errors (only here)']],
  // Spellings of a person's values.
  [user('"time_zone":"Eastern Time (US & Canada)"'), user('"time_zone":"America/New_York"'), []],
  [
    user('"time_zone":"Eastern Time (US & Canada)"'),
    user('"time_zone":"America/Chicago"'),
    ['users[].time_zone'],
  ],
  [user('"apps":[{"sessions":12}]'), user('"apps":[{"sessions":"12"}]'), []],
  [user('"apps":[{"sessions":12}]'), user('"apps":[{"sessions":"13"}]'), ['users[].apps[].sessions']],
  [custom('"sessions":12'), custom('"sessions":"12"'), ['users[].custom_attributes.sessions']],
  // Orders.
  ['{"a":1,"b":2}', '{"b":2,"a":1}', []],
  ['{"a":[1,2]}', '{"a":[2,1]}', ['a[]']],
  ['{"tags":["b","a"]}', '{"tags":["a","b"]}', []],
  [custom('"tags":["b","a"]'), custom('"tags":["a","b"]'), ['users[].custom_attributes.tags[]']],
  [
    '{"users":[{"external_id":"b","email":"x"},{"external_id":"a"}]}',
    '{"users":[{"external_id":"a"},{"external_id":"b","email":"y"}]}',
    ['users[].email'],
  ],
  [
    user('"user_aliases":[{"alias_name":"1","alias_label":"b"},{"alias_name":"2","alias_label":"a"}]'),
    user('"user_aliases":[{"alias_label":"a","alias_name":"2"},{"alias_label":"b","alias_name":"1"}]'),
    [],
  ],
  [user('"last_coordinates":[1.5,2]'), user('"last_coordinates":[2,1.5]'), ['users[].last_coordinates[]']],
  // Numbers, as they are written.
  ['{"a":1}', '{"a":1.0}', []],
  ['{"a":1}', '{"a":1e0}', []],
  ['{"a":1200}', '{"a":1.2E+3}', []],
  ['{"a":12345678901234567890}', '{"a":12345678901234567891}', ['a']],
  ['{"a":12345678901234567890}', '{"a":12345678901234567890}', []],
  ['{"a":9007199254740993}', '{"a":9007199254740992}', ['a']],
  ['{"a":9007199254740993}', '{"a":9007199254740993.0}', []],
  ['{"a":-9007199254740993}', '{"a":9007199254740993}', ['a']],
  ['{"a":10000000000000000}', '{"a":10000000000e6}', []],
  ['{"a":1e400}', '{"a":1e401}', ['a']],
  ['{"a":12345678901234567890}', '{"a":"12345678901234567890"}', ['a']],
  ['{"a":19.99}', '{"a":19.990000000000000000}', []],
  ['{"a":"\\"12345678901234567890"}', '{"a":"\\"12345678901234567891"}', ['a']],
  // Moments.
  ['{"a":"2026-01-02T03:04:05Z"}', '{"a":"2026-01-02T03:04:05.000+00:00"}', []],
  ['{"a":"2026-01-02 03:04:05"}', '{"a":"2026-01-02T04:04:05+01:00"}', []],
  ['{"a":"2026-01-02T03:04:05Z"}', '{"a":"2026-01-02T03:04:06Z"}', ['a']],
  ['{"dob":"2000-01-02"}', '{"dob":"2000-01-02T00:00:00Z"}', ['dob']],
  // Spellings of one text.
  ['{"a":"\\u00fc\\/"}', '{"a":"ü/"}', []],
  // Depth.
  [nested(10, 1), nested(10, 2), [`a${'[]'.repeat(10)}`]],
  [nested(100, 1), nested(100, 2), [`a${'[]'.repeat(50)} (deeper than 50 levels)`]],
])('%s and %s differ in %j', (theirs, ours, places) => expect(placesIn(theirs, ours)).toEqual(places));

it('takes the id of an app for its name, the same one each time', () => {
  const tokens = (...apps: string[]) =>
    user(`"push_tokens":[${apps.map((app, n) => `{"token":"${n}","app":"${app}"}`)}]`);
  const rules = { isSameApp: createComparison().isSameApp };
  expect(placesIn(tokens('Shop', 'Game', 'Shop'), tokens('a1', 'a2', 'a1'), rules)).toEqual([]);
  expect(placesIn(tokens('Shop', 'Game'), tokens('a2', 'a2'), rules)).toEqual(['users[].push_tokens[].app']);
  expect(placesIn('{"app":"Shop"}', '{"app":"a1"}', rules)).toEqual(['app']);
});

describe('what each service makes for itself', () => {
  const rules = { ignored: new Set<string>() };
  const leaving = (theirs: string, ours: string) => {
    const left: string[] = [];
    return { places: placesIn(theirs, ours, { ...rules, leftOut: (name) => left.push(name) }), left };
  };

  it.each<[string, string, string[]]>([
    ['{"content_block_id":"a"}', '{"content_block_id":"b"}', ['content_block_id']],
    [
      user('"other_id":"a","random_bucket":1'),
      user('"service_id":"b","random_bucket":2'),
      ['other_id', 'random_bucket', 'service_id'],
    ],
  ])('%s and %s are the same', (theirs, ours, names) => {
    const { places, left } = leaving(theirs, ours);
    expect([places, left.sort()]).toEqual([[], names]);
  });

  it.each<[string, string, string[]]>([
    ['{"content_block_id":"a"}', '{}', ['content_block_id (missing)']],
    ['{"created_at":"2026-01-02"}', '{"created_at":5}', ['created_at']],
    [user('"external_id":"a"'), user('"external_id":"b"'), ['users[].external_id']],
    [custom('"created_at":"a"'), custom('"created_at":"b"'), ['users[].custom_attributes.created_at']],
  ])('%s and %s differ in %j', (theirs, ours, places) =>
    expect(leaving(theirs, ours).places).toEqual(places),
  );
});

describe('headers', () => {
  const json = { 'content-type': 'application/json' };
  const limits = { 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '4', 'x-ratelimit-reset': '1' };

  it.each<[object, object, string[]]>([
    [json, { 'content-type': 'Application/JSON; charset=utf-8' }, []],
    [json, { 'content-type': 'text/html' }, ['header content-type']],
    [json, {}, ['header content-type']],
    [limits, { ...limits, 'x-ratelimit-limit': '9' }, []],
    [limits, {}, Object.keys(limits).map((name) => `header ${name} (missing)`)],
    [{}, limits, []],
    [{ etag: 'W/"a"', date: 'now' }, {}, []],
  ])('%j and %j differ in %j', (theirs, ours, places) =>
    expect(placesOf(told('{}', theirs), told('{}', ours), { ignored: new Set() })).toEqual(places),
  );
});

it.each([
  [200, 201, ['status 200, here 201', 'a']],
  [200, 400, ['status 200, here 400']],
  [400, 401, ['status 400, here 401']],
  [500, 200, ['status 500, here 200']],
])('the bodies of two successes are compared whatever their status: %i and %i', (theirs, ours, places) => {
  const at = [told('{"a":1}', {}, theirs), told('{"a":2}', {}, ours)] as const;
  expect(placesOf(...at, { ignored: new Set() })).toEqual(places);
});
