/** What is taken, as it came: odd names, every type of value, every field that an exported profile may bring back. */

import {
  isJsonObject,
  type JudgeSettings,
  nameFault,
  operationOf,
  type TrackAccepted,
} from '@roster/contract';
import { aJudgeSettings, createJudge, createLookUp } from '@roster/judge';
import fc from 'fast-check';
import { openapi } from './openapi.ts';

type Name = keyof TrackAccepted;

const settings = aJudgeSettings({
  suspiciousExternalIds: new Set(['', 'null', '0']),
  apps: new Set(['shop', 'game']),
});
const judge = createJudge();
const time = '2026-01-31T12:00:00Z';

const verdictOn = (array: string, entry: unknown, given = settings) =>
  judge(operationOf('users.track'), { body: { [array]: [entry] } }, given);

const taken = (array: Name, entry: unknown, given?: JudgeSettings): unknown => {
  const verdict = verdictOn(array, entry, given);
  if (!verdict.ok) throw new Error(JSON.stringify(verdict.rejection.errors));
  return (verdict.accepted.body as TrackAccepted)[array]?.[0];
};

const anAttribute = (more: object) => ({ external_id: 'ada', ...more });
const anEvent = (more: object) => ({ external_id: 'ada', name: 'signed_in', time, ...more });
const aPurchase = (more: object) => {
  return { external_id: 'ada', product_id: 'tea', currency: 'EUR', price: 4.5, time, ...more };
};
const document = openapi();
const attributeProperties =
  (document.components.schemas as Record<string, { properties: object }>).AttributeEntry?.properties ?? {};
const json = (text: string): object => JSON.parse(text);
const many = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, value]));

describe('identifiers', () => {
  it.each([
    [{ external_id: 'x'.repeat(987) }],
    [{ external_id: '__proto__' }],
    ...[
      'nul',
      'nullable',
      'null null',
      'a name that is much longer than these',
      'ü',
      ` ${'x'.repeat(40)} `,
    ].map((external_id): [object] => [{ external_id }]),
    [{ external_id: '00' }],
    [{ user_alias: { alias_name: 'x'.repeat(236), alias_label: 'l' } }],
    [{ user_alias: { alias_name: 'null', alias_label: 'undefined' } }],
    [{ service_id: 's', email: 'a@example.com', phone: '+12125550123' }],
    [{ email: 'a@example.com' }],
    [{ phone: '+12125550123' }],
    [{ email: 'a@example.com', phone: '+12125550123' }],
    [{ external_id: 'a', email: null, phone: null }],
  ])('%j are taken as they are', (entry) => {
    expect(taken('attributes', entry)).toBe(entry);
  });

  it.each([
    [{ external_id: 1 }, { external_id: '1' }],
    [{ external_id: 'a', user_alias: null, service_id: null }, { external_id: 'a' }],
    [{ external_id: null, email: 'A@example.com' }, { email: 'A@example.com' }],
    [{ phone: '(212) 555-0123' }, { phone: '+12125550123' }],
  ])('%j become %j', (entry, expected) => {
    expect(taken('attributes', entry)).toEqual(expected);
  });

  it('of an event: email and phone are not judged when there is another one', () => {
    expect(verdictOn('events', anEvent({ email: 'nobody', phone: '12' })).ok).toBe(true);
  });

  it.each(['null', ' Null', 0, ' '])('%j is taken when the workspace has no list of suspicious ids', (id) => {
    const entry = { external_id: id };
    expect(taken('attributes', entry, { ...settings, suspiciousExternalIds: new Set() })).toEqual({
      external_id: String(id),
    });
  });

  it('keep names that are special to the language as data when an entry is copied', () => {
    const kept = taken('attributes', json('{"external_id": 1, "__proto__": "x", "constructor": "y"}'));
    expect(JSON.stringify(kept)).toBe('{"external_id":"1","__proto__":"x","constructor":"y"}');
  });
});

describe('fields', () => {
  it.each([
    [{ email_subscribe: 'opted_in', push_subscribe: 'unsubscribed' }],
    [{ first_name: 'Ada', last_name: 'Lovelace', gender: 'F', home_city: 'London', language: 'en-GB' }],
    [{ country: 'Atlantis', time_zone: 'Nowhere', language: 'Klingon' }],
    [{ dob: '1984-02-29', image_url: 'https://example.com/ada.png' }],
    [{ email_open_tracking_disabled: true, email_click_tracking_disabled: false }],
    [{ marked_email_as_spam_at: '2026-01-31', date_of_first_session: '12-1-2021' }],
    [{ push_opted_in_at: time, uninstalled_at: '2019-02-15 00:00:00 -0500' }],
    [{ attributed_ad: 'a', attributed_adgroup: 'g', attributed_campaign: 'c', attributed_source: 's' }],
    [{ current_location: { longitude: -180, latitude: 90 } }],
    [{ last_coordinates: [13.4, 52.5] }],
    [{ facebook: { id: '1', likes: ['tea', 'ponies'], num_friends: 5 } }],
    [{ facebook: {}, twitter: { shoe_size: 38 } }],
    [{ twitter: { id: 123, screen_name: 'ada', followers_count: 1, friends_count: 2, statuses_count: 3 } }],
    [{ twitter: { id: '1234567890123456789' } }],
    [{ subscription_groups: [] }],
    [
      {
        subscription_groups: [
          { subscription_group_id: 'news', subscription_state: 'unsubscribed' },
          {
            subscription_group_id: 'alerts',
            subscription_state: 'subscribed',
            use_double_opt_in_logic: true,
          },
        ],
      },
    ],
    [{ push_tokens: [] }],
    [{ push_tokens: [{ app_id: 'shop', token: 't', device_id: '12345678' }] }],
    [{ push_tokens: [{ app_id: 'shop', token: 't', device_id: 'x'.repeat(254) }] }],
    [{ push_tokens: [{ app_id: 'shop', app: 'shop', token: 't', device_id: null }] }],
    [{ push_token_import: false }],
  ])('%j are taken as they are', (more) => {
    const entry = anAttribute(more);
    expect(taken('attributes', entry)).toBe(entry);
  });

  it('are removed by null, save the subscription groups', () => {
    const names = Object.keys(attributeProperties).filter(
      (name) => !/^_|^external_id$|^user_alias$|^service_id$|^push_token_import$|_groups$/.test(name),
    );
    const removable = names.filter((name) => name !== 'last_coordinates');
    expect(removable.length).toBeGreaterThan(30);
    const entry = anAttribute(Object.fromEntries(removable.map((name) => [name, null])));
    expect(taken('attributes', entry)).toBe(entry);
    expect(verdictOn('attributes', anAttribute({ last_coordinates: null })).ok).toBe(true);
  });

  it('come back from an export', () => {
    const exported = anAttribute({
      apps: [
        { name: 'Shop', platform: 'iOS', version: '1.0', sessions: '12', first_used: time, last_used: time },
      ],
      devices: [
        {
          model: 'Phone 8',
          os: '16.2',
          carrier: null,
          idfv: 'v',
          idfa: 'a',
          device_id: 'd',
          mobile_ad_id: 'm',
          tv_ad_id: 't',
          ad_tracking_enabled: false,
        },
      ],
      push_tokens: [
        {
          app: 'game',
          platform: 'Android',
          token: 'tok',
          device_id: 'device-1',
          notifications_enabled: true,
        },
        { app: 'shop', token: 'tok', provisionally_opted_in: false },
      ],
      campaigns_received: [
        {
          name: 'Hello',
          last_received: time,
          engaged: { opened_email: true, clicked_triggered_in_app_message: false },
          converted: true,
          multiple_converted: { 'Bought something': true },
          api_campaign_id: 'c1',
          variation_name: 'A',
          variation_api_id: 'v1',
          in_control: false,
        },
      ],
      canvases_received: [
        {
          name: 'Journey',
          api_canvas_id: 'j1',
          last_received_message: time,
          last_entered: time,
          last_entered_control_at: null,
          variation_name: 'B',
          in_control: false,
          last_exited: '2026-02-01',
          steps_received: [{ name: 'One', api_canvas_step_id: 's1', last_received: time }],
        },
      ],
      cards_clicked: [{ name: 'Card' }],
      last_coordinates: [13.4, 52.5],
      uninstalled_at: time,
      push_opted_in_at: time,
      attributed_source: 'web',
    });
    expect(taken('attributes', exported)).toBe(exported);
  });

  it('of a list may have unknown members', () => {
    const entry = anAttribute({ devices: [{ device_id: 'd', wheels: { front: [2, null] } }] });
    expect(taken('attributes', entry)).toBe(entry);
  });

  it.each([
    [{}],
    [{ email: 'a@example.com' }],
    [{ color: 'red' }],
    [{ user_alias: { alias_name: 'n', alias_label: 'l' } }],
  ])('with %j may import tokens', (more) => {
    const entry = { push_token_import: true, push_tokens: [{ app_id: 'shop', token: 't' }], ...more };
    expect(taken('attributes', entry)).toBe(entry);
  });
});

describe('custom attributes', () => {
  const found = { $identifier_key: 'id', $identifier_value: 7 };

  it.each([
    [{ color: 'green', age: 36, ratio: -0.5, vip: true, none: null, empty: '' }],
    [{ born: '12-1-2021', seen: '2026-01-31T12:00:00Z', era: '3001-01-01' }],
    [{ color: '😀'.repeat(255), nul: 'a\0b' }],
    [{ 'a.b': 1, 'with space': 2, _merge_objects: true, '0': 3, '😀': 4, ' ': 5 }],
    [{ a$: 1, ['x'.repeat(255)]: 2 }],
    [{ visits: { inc: -2 }, points: { inc: 9007199254740991 } }],
    [{ tags: ['a', 1, true, -0.5], empty: [], long: Array(500).fill('a') }],
    [{ tags: { add: ['a', 2] }, others: { remove: [] }, both: { add: ['a'], remove: ['b'] } }],
    [{ home: {} }],
    [{ since: { $time: '2026-01-31' } }],
    [{ since: { $time: '9021-12-01' }, pets: [{ born: { $time: '-0044-03-15T12:00:00Z' } }] }],
    [{ home: { street: { no: 5, since: { $time: '2026-01-31' } }, rooms: ['a', 1, { b: [true] }] } }],
    [{ home: { inc: 1, other: 2 }, away: { add: ['a'], more: 1 } }],
    [
      {
        pets: [
          { id: 1, name: 'Rex' },
          { id: 2, born: { $time: time } },
        ],
      },
    ],
    [{ pets: { $add: [{ id: 1 }], $remove: [found], $update: [{ ...found, $new_object: { a: 1 } }] } }],
    [{ pets: { $update: [] } }],
    [{ home: many(500, 'x'.repeat(190)) }],
    [{ email: 'ada@example.com', alias_name: 'x', created_at: 'x', total_revenue: 5, _id: 'x', ws: 'y' }],
  ])('%# are taken as they are', (more) => {
    const entry = JSON.parse(JSON.stringify(anAttribute(more)));
    expect(taken('attributes', entry)).toBe(entry);
  });

  const odd =
    '{"__proto__": "x", "constructor": 1, "toString": null, "hasOwnProperty": true, "prototype": []}';
  it.each([odd, `{"home": ${odd.replace('null', '2')}}`, `{"pets": [${odd.replace('null', '2')}]}`])(
    '%s is only data',
    (text) => {
      const entry = { ...json('{"external_id": "ada"}'), ...json(text) };
      const sent = JSON.stringify(entry);
      expect(JSON.stringify(taken('attributes', JSON.parse(sent)))).toBe(sent);
    },
  );

  const names = fc.string({ unit: 'binary', minLength: 1, maxLength: 300 });
  it('may have any name but what the law forbids', () => {
    fc.assert(
      fc.property(names, fc.string({ unit: 'grapheme', maxLength: 100 }), (name, value) => {
        fc.pre(!Object.hasOwn(attributeProperties, name) && name !== 'email_subscription_info');
        const sent = JSON.parse(`{"external_id":"ada",${JSON.stringify(name)}:${JSON.stringify(value)}}`);
        const text = JSON.stringify(sent);
        if (!verdictOn('attributes', sent).ok) return nameFault(name) !== undefined;
        return nameFault(name) === undefined && JSON.stringify(taken('attributes', sent)) === text;
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('events', () => {
  it.each([
    [anEvent({ name: '😀'.repeat(255) })],
    [anEvent({ name: '__proto__', app_id: null, properties: null })],
    [anEvent({ time: '2019-02-15 00:00:00 -0500' })],
    [anEvent({ time: '2023-02-28T00:00:00+0000', app_id: 'no app of ours' })],
    [anEvent({ time: '2999-01-01' })],
    [
      anEvent({
        properties: json(
          '{"__proto__": 1, "a.b": true, "c": null, "d": [1, {"$e": "f"}], "g": "2026-01-31"}',
        ),
      }),
    ],
    [anEvent({ properties: { a: ['2026-01-31', null, [[]]], b: { c: 'x'.repeat(300) } } })],
    [anEvent({ properties: { a: ['x'.repeat(102_400 - 10)] } })],
    [anEvent({ properties: many(256, 'x'.repeat(255)) })],
    [anEvent({ something: 'unknown', $else: {} })],
  ])('%# is taken as it is', (entry) => {
    expect(taken('events', entry)).toBe(entry);
  });
});

describe('purchases', () => {
  it.each([
    {},
    { quantity: 1 },
    { quantity: 100 },
    { price: 0 },
    { price: -3.5 },
    { price: 1e15 },
    { currency: 'JPY', product_id: 'x'.repeat(255) },
    { properties: { a: [1] } },
  ])('%j are taken', (more) => {
    expect(verdictOn('purchases', aPurchase(more)).ok).toBe(true);
  });
});

describe('the judge', () => {
  const shapes = { attributes: 'AttributeEntry', events: 'EventEntry', purchases: 'PurchaseEntry' } as const;
  const lookUp = createLookUp(document);
  const words = [
    ...Object.keys(attributeProperties),
    ...'name time app_id properties product_id currency price quantity color pets'.split(' '),
    ...'inc add remove $add $update $remove $identifier_key $identifier_value $time'.split(' '),
    ...'token device_id subscription_group_id subscription_state longitude __proto__ $new_object'.split(' '),
  ];
  const names = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...words) }, fc.string());
  const scalars = fc.oneof(
    fc.constantFrom<unknown>(
      'news',
      'shop',
      'subscribed',
      'EUR',
      time,
      'ada',
      'a@example.com',
      1,
      500,
      null,
      true,
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.double(),
    fc.integer(),
    fc.boolean(),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      { weight: 4, arbitrary: scalars },
      { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 4 }) },
      { weight: 2, arbitrary: fc.dictionary(names, tie('value'), { maxKeys: 4 }) },
    ),
  }));
  const person = fc.constantFrom(
    { external_id: 'ada' },
    { email: 'a@example.com' },
    { push_token_import: true },
    {},
  );
  const start = fc.constantFrom(
    {},
    { name: 'n', time },
    { product_id: 'p', currency: 'EUR', price: 1, time },
  );
  const entries = fc
    .tuple(person, start, fc.dictionary(names, value, { maxKeys: 5 }))
    .map(([a, b, c]) => Object.fromEntries([a, b, c].flatMap((part) => Object.entries(part))));

  it('never throws, and never takes what the documented schema forbids', () => {
    let [tried, accepted] = [0, 0];
    fc.assert(
      fc.property(
        fc.constantFrom<Name>('attributes', 'events', 'purchases'),
        fc.oneof(entries, value),
        (array, entry) => {
          tried += 1;
          if (!verdictOn(array, entry).ok) return true;
          accepted += 1;
          const isShaped = lookUp(['components', 'schemas', shapes[array]]);
          return isShaped(taken(array, entry));
        },
      ),
      { numRuns: 3_000 },
    );
    expect(accepted / tried).toBeGreaterThan(1 / 30);
  });

  /** The rules of nested attributes once more, said differently. */
  const isNested = (inner: unknown): boolean => {
    if (typeof inner === 'string') return [...inner].length <= 255 && !/\p{Surrogate}/u.test(inner);
    if (Array.isArray(inner)) return inner.every(isNested);
    if (!isJsonObject(inner)) return inner !== null && (typeof inner !== 'number' || Number.isFinite(inner));
    const all = Object.entries(inner);
    if (all.length === 1 && typeof inner.$time === 'string') return !Number.isNaN(Date.parse(inner.$time));
    return all.every(([name, more]) => /^[^ .$\0]{1,255}$/u.test(name) && isNested(more));
  };

  it('takes of nested attributes what the rules allow, whole or not at all', () => {
    const plainNames = fc.oneof(fc.constantFrom('a', 'b', 'c.d', 'e f', '$g', '__proto__', ''), fc.string());
    const { object } = fc.letrec((tie) => ({
      object: fc.dictionary(plainNames, tie('inner'), { maxKeys: 3 }),
      inner: fc.oneof(
        { maxDepth: 3 },
        { weight: 5, arbitrary: fc.oneof(fc.string(), fc.integer(), fc.constantFrom(null, true)) },
        { weight: 1, arbitrary: fc.record({ $time: fc.constantFrom(time, 'never') }) },
        { weight: 1, arbitrary: fc.array(tie('inner'), { maxLength: 3 }) },
        { weight: 2, arbitrary: tie('object') },
      ),
    }));
    fc.assert(
      fc.property(object, (home) => {
        // One name that makes it a nested attribute, whatever else it holds.
        const sent = JSON.parse(
          JSON.stringify({ external_id: 'ada', home: { ...(home as object), kind: 'home' } }),
        );
        return verdictOn('attributes', sent).ok === isNested(sent.home);
      }),
      { numRuns: 2_000 },
    );
  });
});
