import type { JudgeSettings } from '../operation.ts';
import { operationById } from '../operations/index.ts';
import { rejectionBody } from '../rejections.ts';
import type { TrackAccepted } from '../types.ts';
import { createJudge, type Verdict } from './judge.ts';

const judge = createJudge();
const settings: JudgeSettings = { maxUpdates: 50, blockedExternalIds: new Set(['dummy', '7']) };
const nothingValid = "Valid data must be provided in the 'attributes', 'events', or 'purchases' fields.";
const time = '2026-01-31T12:00:00Z';

function named(id: string) {
  const found = operationById(id);
  if (!found) throw new Error(`no operation ${id}`);
  return found;
}

const track = (body: unknown, given = settings): Verdict => judge(named('users.track'), { body }, given);

function accepted(verdict: Verdict) {
  if (!verdict.ok) throw new Error(JSON.stringify(rejectionBody(verdict.rejection)));
  return { ...verdict, body: verdict.accepted.body as TrackAccepted };
}

function rejected(verdict: Verdict) {
  if (verdict.ok) throw new Error(`accepted: ${JSON.stringify(verdict.accepted)}`);
  return verdict.rejection;
}

/** The single entry error that a body with one entry gets. */
function refusal(array: string, entry: unknown): { type: string; code: string } {
  const errors = rejected(track({ [array]: [entry] })).errors ?? [];
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatchObject({ input_array: array, index: 0 });
  return { type: errors[0]?.type ?? '', code: errors[0]?.code ?? '' };
}

const anEvent = (more: object = {}) => ({ external_id: 'ada', name: 'signed_in', time, ...more });
const aPurchase = (more: object = {}) => ({
  external_id: 'ada',
  product_id: 'tea',
  currency: 'EUR',
  price: 4.5,
  time,
  ...more,
});
const anAttribute = (more: object = {}) => ({ external_id: 'ada', ...more });
const without = (entry: Record<string, unknown>, name: string) =>
  Object.fromEntries(Object.entries(entry).filter(([key]) => key !== name));

describe('the envelope of users.track', () => {
  it.each([
    [undefined, 'the body must be an object'],
    [null, 'the body must be an object'],
    [[], 'the body must be an object'],
    ['text', 'the body must be an object'],
    [{ events: {} }, 'events must be an array'],
    [{ attributes: 'x', events: [anEvent()] }, 'attributes must be an array'],
    [{ purchases: null }, 'purchases must be an array'],
  ])('%j is refused as a whole', (body, message) => {
    const rejection = rejected(track(body));
    expect(rejection).toMatchObject({ code: 'BODY_INVALID', status: 400 });
    expect(rejectionBody(rejection)).toEqual({ message });
  });

  it.each([{}, { attributes: [] }, { attributes: [], events: [], purchases: [] }, { partner: 'x' }])(
    '%j has nothing valid in it, and no errors array',
    (body) => {
      expect(rejectionBody(rejected(track(body)))).toEqual({ message: nothingValid });
    },
  );

  it('refuses more entries than allowed, over all arrays together', () => {
    const body = {
      attributes: Array(20).fill(anAttribute()),
      events: Array(20).fill(anEvent()),
      purchases: Array(11).fill(aPurchase()),
    };
    expect(rejected(track(body))).toMatchObject({
      code: 'TOO_MANY_ENTRIES',
      status: 400,
      message: 'Max Input Length Exceeded',
    });
    expect(track({ events: Array(50).fill(anEvent()) }).ok).toBe(true);
    expect(track({ events: Array(1000).fill(anEvent()) }, { ...settings, maxUpdates: 1000 }).ok).toBe(true);
  });

  it('ignores unknown members and empty arrays', () => {
    const { body } = accepted(track({ partner: 'x', attributes: [], events: [anEvent()] }));
    expect(body).toEqual({ events: [anEvent()] });
  });
});

describe('the answer of users.track', () => {
  it('counts what was accepted, only for arrays in which something was', () => {
    const { answer, entries } = accepted(
      track({
        attributes: [anAttribute()],
        events: [anEvent(), {}, anEvent()],
        purchases: [aPurchase({ quantity: 0 })],
      }),
    );
    expect(entries).toBe(3);
    expect(answer).toEqual({
      status: 201,
      body: {
        attributes_processed: 1,
        events_processed: 2,
        message: 'success',
        errors: [
          {
            type: "'external_id', 'service_id', 'user_alias', 'email' or 'phone' is required",
            code: 'IDENTIFIER_REQUIRED',
            input_array: 'events',
            index: 1,
          },
          { type: "'quantity' is not valid", code: 'QUANTITY_INVALID', input_array: 'purchases', index: 0 },
        ],
      },
    });
  });

  it('keeps positions: a refused entry is replaced by its code', () => {
    const { body } = accepted(track({ events: [anEvent(), 5, anEvent({ time: 'never ever' })] }));
    expect(body).toEqual({ events: [anEvent(), 'ENTRY_NOT_AN_OBJECT', 'TIME_INVALID'] });
  });

  it('hands on the very array that was sent when nothing in it changes', () => {
    const events = [anEvent(), anEvent()];
    expect(accepted(track({ events })).body.events).toBe(events);
  });

  it('names every refused entry when none is left', () => {
    const rejection = rejected(track({ attributes: [{}], events: [anEvent({ name: '' })] }));
    expect(rejection.message).toBe(nothingValid);
    expect(rejection.errors?.map(({ input_array, index, code }) => [input_array, index, code])).toEqual([
      ['attributes', 0, 'IDENTIFIER_REQUIRED'],
      ['events', 0, 'FIELD_INVALID'],
    ]);
  });

  it('names the place in the request', () => {
    const { answer } = accepted(track({ events: [anEvent(), anEvent(), anEvent(), anEvent({ name: '' })] }));
    expect(answer.body.errors).toEqual([
      { type: 'events[3].name must not be empty', code: 'FIELD_INVALID', input_array: 'events', index: 3 },
    ]);
  });
});

describe('identifiers', () => {
  const alias = { alias_name: 'a', alias_label: 'l' };
  const only = "You must specify only one of 'external_id', 'user_alias' or 'service_id'";
  const none = "'external_id', 'service_id', 'user_alias', 'email' or 'phone' is required";

  it.each([
    [{ external_id: 'ada', service_id: 's' }, 'IDENTIFIER_AMBIGUOUS', only],
    [{ external_id: 'ada', user_alias: alias }, 'IDENTIFIER_AMBIGUOUS', only],
    [{ user_alias: alias, service_id: 's', email: 'a@example.com' }, 'IDENTIFIER_AMBIGUOUS', only],
    [{}, 'IDENTIFIER_REQUIRED', none],
    [{ external_id: null, email: null }, 'IDENTIFIER_REQUIRED', none],
    [{ external_id: '' }, 'FIELD_INVALID', 'attributes[0].external_id must not be empty'],
    [{ external_id: true }, 'FIELD_INVALID', 'attributes[0].external_id must be a string or a whole number'],
    [{ external_id: 1.5 }, 'FIELD_INVALID', 'attributes[0].external_id must be a string or a whole number'],
    [{ external_id: 2 ** 60 }, 'FIELD_INVALID', 'attributes[0].external_id must be at most 9007199254740991'],
    [
      { external_id: 'x'.repeat(988) },
      'EXTERNAL_USER_ID_TOO_LARGE',
      "'external_id' must not be longer than 987 bytes",
    ],
    [
      { external_id: 'ü'.repeat(494) },
      'EXTERNAL_USER_ID_TOO_LARGE',
      "'external_id' must not be longer than 987 bytes",
    ],
    [
      { external_id: '\ud800' },
      'TEXT_NOT_WELL_FORMED',
      'attributes[0].external_id must be well-formed text without NUL characters',
    ],
    [
      { external_id: 'a\0b' },
      'TEXT_NOT_WELL_FORMED',
      'attributes[0].external_id must be well-formed text without NUL characters',
    ],
    [
      { external_id: 'dummy' },
      'BLACKLISTED_EXTERNAL_USER_ID',
      'provided external_id is blacklisted and disallowed',
    ],
    [
      { external_id: 7 },
      'BLACKLISTED_EXTERNAL_USER_ID',
      'provided external_id is blacklisted and disallowed',
    ],
    [{ service_id: '' }, 'FIELD_INVALID', 'attributes[0].service_id must not be empty'],
    [{ service_id: 5 }, 'FIELD_INVALID', 'attributes[0].service_id must be a string'],
    [
      { service_id: 'a\0' },
      'TEXT_NOT_WELL_FORMED',
      'attributes[0].service_id must be well-formed text without NUL characters',
    ],
    [{ user_alias: 'a' }, 'FIELD_INVALID', 'attributes[0].user_alias must be an object'],
    [{ user_alias: { alias_name: 'a' } }, 'FIELD_REQUIRED', "'alias_label' is required"],
    [
      { user_alias: { alias_name: '', alias_label: 'l' } },
      'FIELD_INVALID',
      'attributes[0].user_alias.alias_name must not be empty',
    ],
    [
      { user_alias: { alias_name: 'x'.repeat(237), alias_label: 'l' } },
      'ALIAS_TOO_LARGE',
      "'alias_name' and 'alias_label' must not be longer than 236 bytes",
    ],
    [
      { user_alias: { alias_name: 'n', alias_label: 'ü'.repeat(119) } },
      'ALIAS_TOO_LARGE',
      "'alias_name' and 'alias_label' must not be longer than 236 bytes",
    ],
    [
      { user_alias: { alias_name: '\udc00', alias_label: 'l' } },
      'TEXT_NOT_WELL_FORMED',
      'attributes[0].user_alias must be well-formed text without NUL characters',
    ],
    [
      { email: 'nobody' },
      'EMAIL_BAD_FORMAT',
      "The value provided for the 'email' field is not a valid email.",
    ],
    [
      { phone: '12' },
      'PHONE_INVALID',
      "The value provided for the 'phone' field is not a valid phone number.",
    ],
    [{ phone: 2125550123 }, 'FIELD_INVALID', 'attributes[0].phone must be a string or null'],
    [
      { external_id: 'a', _update_existing_only: 'yes' },
      'FIELD_INVALID',
      'attributes[0]._update_existing_only must be a boolean',
    ],
  ])('%j is %s', (entry, code, type) => {
    expect(refusal('attributes', entry)).toEqual({ code, type });
  });

  it.each([
    [{ external_id: 'x'.repeat(987) }],
    [{ external_id: '__proto__' }],
    [{ user_alias: { alias_name: 'x'.repeat(236), alias_label: 'l' } }],
    [{ service_id: 's', email: 'a@example.com', phone: '+12125550123' }],
    [{ email: 'a@example.com' }],
    [{ phone: '+12125550123' }],
    [{ email: 'a@example.com', phone: '+12125550123' }],
    [{ external_id: 'a', email: null, phone: null }],
  ])('accepts %j as it is', (entry) => {
    expect(accepted(track({ attributes: [entry] })).body.attributes).toEqual([entry]);
  });

  it.each([
    [{ external_id: 1 }, { external_id: '1' }],
    [{ external_id: 'a', user_alias: null, service_id: null }, { external_id: 'a' }],
    [{ external_id: null, email: 'A@example.com' }, { email: 'A@example.com' }],
    [{ phone: '(212) 555-0123' }, { phone: '+12125550123' }],
  ])('turns %j into %j', (entry, expected) => {
    expect(accepted(track({ attributes: [entry] })).body.attributes).toEqual([expected]);
  });

  it('does not judge the email and phone of an event that has another identifier', () => {
    expect(track({ events: [anEvent({ email: 'nobody', phone: '12' })] }).ok).toBe(true);
    expect(refusal('events', { email: 'nobody', name: 'n', time }).code).toBe('EMAIL_BAD_FORMAT');
    expect(refusal('events', { phone: '12', name: 'n', time }).code).toBe('PHONE_INVALID');
  });

  it('keeps names that are special to the language as data when it copies an entry', () => {
    const entry = JSON.parse('{"external_id": 1, "__proto__": "x", "constructor": "y"}');
    const [kept] = accepted(track({ attributes: [entry] })).body.attributes ?? [];
    expect(JSON.stringify(kept)).toBe('{"external_id":"1","__proto__":"x","constructor":"y"}');
  });
});

describe('events', () => {
  it.each([
    [without(anEvent(), 'name'), 'FIELD_REQUIRED', "'name' is required"],
    [without(anEvent(), 'time'), 'FIELD_REQUIRED', "'time' is required"],
    [anEvent({ name: 5 }), 'FIELD_INVALID', 'events[0].name must be a string'],
    [
      anEvent({ name: 'x'.repeat(256) }),
      'FIELD_INVALID',
      'events[0].name must not be longer than 255 characters',
    ],
    [
      anEvent({ name: 'a\0' }),
      'TEXT_NOT_WELL_FORMED',
      'events[0].name must be well-formed text without NUL characters',
    ],
    [anEvent({ time: 1700000000 }), 'FIELD_INVALID', 'events[0].time must be a string'],
    [
      anEvent({ time: '2023-02-30' }),
      'TIME_INVALID',
      'events[0].time must be a time such as 2026-01-31T12:00:00Z',
    ],
    [anEvent({ app_id: 5 }), 'FIELD_INVALID', 'events[0].app_id must be a string or null'],
    [anEvent({ properties: [] }), 'FIELD_INVALID', 'events[0].properties must be an object or null'],
    [
      anEvent({ properties: { '': 1 } }),
      'PROPERTY_NAME_INVALID',
      'events[0].properties has a name that must not be empty',
    ],
    [
      anEvent({ properties: { $a: 1 } }),
      'PROPERTY_NAME_INVALID',
      'events[0].properties has a name that must not begin with $',
    ],
    [
      anEvent({ properties: { ['x'.repeat(256)]: 1 } }),
      'PROPERTY_NAME_INVALID',
      'events[0].properties has a name that must not be longer than 255 characters',
    ],
    [
      anEvent({ properties: { 'a\0': 1 } }),
      'PROPERTY_NAME_INVALID',
      'events[0].properties has a name that must be well-formed text without NUL characters',
    ],
    [
      anEvent({ properties: { a: { b: [{ 'c\0': 1 }] } } }),
      'PROPERTY_NAME_INVALID',
      'events[0].properties has a name that must be well-formed text without NUL characters',
    ],
    [
      anEvent({ properties: { time: 1 } }),
      'PROPERTY_NAME_RESERVED',
      "events[0].properties must not hold the reserved name 'time'",
    ],
    [
      anEvent({ properties: { event_name: 1 } }),
      'PROPERTY_NAME_RESERVED',
      "events[0].properties must not hold the reserved name 'event_name'",
    ],
    [
      anEvent({ properties: { a: 'x'.repeat(256) } }),
      'PROPERTY_VALUE_INVALID',
      'events[0].properties.a must not be longer than 255 characters',
    ],
    [
      anEvent({ properties: JSON.parse('{"a": 1e999}') }),
      'PROPERTY_VALUE_INVALID',
      'events[0].properties.a must be a finite number',
    ],
    [
      anEvent({ properties: { a: ['x'.repeat(102_400)] } }),
      'PROPERTIES_TOO_LARGE',
      'events[0].properties must not be larger than 100 KB when it holds arrays or objects',
    ],
    [
      anEvent({ properties: { a: ['ü'.repeat(51_200)] } }),
      'PROPERTIES_TOO_LARGE',
      'events[0].properties must not be larger than 100 KB when it holds arrays or objects',
    ],
    [
      anEvent({ properties: Object.fromEntries(Array.from({ length: 257 }, (_, i) => [`p${i}`, i])) }),
      'TOO_MANY_PROPERTIES',
      'events[0].properties must not hold more than 256 properties',
    ],
  ])('%# is %s', (entry, code, type) => {
    expect(refusal('events', entry)).toEqual({ code, type });
  });

  it.each([
    [anEvent({ name: '😀'.repeat(255) })],
    [anEvent({ name: '__proto__', app_id: null, properties: null })],
    [anEvent({ time: '2019-02-15 00:00:00 -0500' })],
    [
      anEvent({
        properties: JSON.parse(
          '{"__proto__": 1, "a.b": true, "c": null, "d": [1, {"$e": "f"}], "g": "2026-01-31"}',
        ),
      }),
    ],
    [anEvent({ properties: { a: ['x'.repeat(102_400 - 10)] } })],
    [
      anEvent({
        properties: Object.fromEntries(Array.from({ length: 256 }, (_, i) => [`p${i}`, 'x'.repeat(255)])),
      }),
    ],
    [anEvent({ something: 'unknown', $else: {} })],
  ])('%# is accepted as it is', (entry) => {
    expect(accepted(track({ events: [entry] })).body.events?.[0]).toBe(entry);
  });
});

describe('purchases', () => {
  it.each(['product_id', 'currency', 'price', 'time'])('%s is required', (name) => {
    expect(refusal('purchases', without(aPurchase(), name))).toEqual({
      code: 'FIELD_REQUIRED',
      type: `'${name}' is required`,
    });
  });

  it.each([0, 101, 1.5, '1', null, -1])('quantity %j is not valid', (quantity) => {
    expect(refusal('purchases', aPurchase({ quantity }))).toEqual({
      code: 'QUANTITY_INVALID',
      type: "'quantity' is not valid",
    });
  });

  it.each([
    [{ currency: 'usd' }, 'CURRENCY_INVALID', "'currency' must be an ISO 4217 currency code"],
    [{ currency: 5 }, 'FIELD_INVALID', 'purchases[0].currency must be a string'],
    [{ price: '4.5' }, 'FIELD_INVALID', 'purchases[0].price must be a number'],
    [JSON.parse('{"price": 1e999}'), 'FIELD_INVALID', 'purchases[0].price must be a number'],
    [{ product_id: '' }, 'FIELD_INVALID', 'purchases[0].product_id must not be empty'],
    [{ time: 'x' }, 'TIME_INVALID', 'purchases[0].time must be a time such as 2026-01-31T12:00:00Z'],
    [
      { properties: { time: 1 } },
      'PROPERTY_NAME_RESERVED',
      "purchases[0].properties must not hold the reserved name 'time'",
    ],
  ])('%j is %s', (more, code, type) => {
    expect(refusal('purchases', aPurchase(more))).toEqual({ code, type });
  });

  it.each([
    {},
    { quantity: 1 },
    { quantity: 100 },
    { price: 0 },
    { price: -3.5 },
    { properties: { a: [1] } },
  ])('accepts %j', (more) => {
    expect(track({ purchases: [aPurchase(more)] }).ok).toBe(true);
  });
});

describe('attributes', () => {
  const subscription = (name: string) => `'${name}' must be 'subscribed', 'unsubscribed', or 'opted_in'`;
  const value = 'must be a string, a number, a boolean, null, an array or an object';
  const later = 'is of a type that is not supported yet';

  it.each([
    [{ email_subscribe: 'perhaps' }, 'BAD_EMAIL_SUBSCRIPTION_STATE', subscription('email_subscribe')],
    [{ email_subscribe: true }, 'BAD_EMAIL_SUBSCRIPTION_STATE', subscription('email_subscribe')],
    [{ push_subscribe: 'perhaps' }, 'BAD_PUSH_SUBSCRIPTION_STATE', subscription('push_subscribe')],
    [
      { email: 'nobody' },
      'EMAIL_BAD_FORMAT',
      "The value provided for the 'email' field is not a valid email.",
    ],
    [
      { phone: 'none' },
      'PHONE_INVALID',
      "The value provided for the 'phone' field is not a valid phone number.",
    ],
    [
      { email_subscription_info: 1 },
      'INVALID_ATTRIBUTE_EMAIL_SUBSCRIPTION_INFO',
      "'email_subscription_info' is not a valid attribute",
    ],
    [
      { gender: 'male' },
      'FIELD_INVALID',
      "attributes[0].gender must be one of 'M', 'F', 'O', 'N', 'P', 'nil', null",
    ],
    [{ first_name: 5 }, 'FIELD_INVALID', 'attributes[0].first_name must be a string or null'],
    [{ country: ['DE'] }, 'FIELD_INVALID', 'attributes[0].country must be a string or null'],
    [
      { last_name: 'x'.repeat(256) },
      'FIELD_INVALID',
      'attributes[0].last_name must not be longer than 255 characters',
    ],
    [
      { email_open_tracking_disabled: 'no' },
      'FIELD_INVALID',
      'attributes[0].email_open_tracking_disabled must be a boolean or null',
    ],
    [{ dob: '1985-02-29' }, 'TIME_INVALID', 'attributes[0].dob must be a date such as 1984-02-29'],
    [
      { date_of_first_session: 'long ago' },
      'TIME_INVALID',
      'attributes[0].date_of_first_session must be a time such as 2026-01-31T12:00:00Z',
    ],
    [
      { marked_email_as_spam_at: 'long ago' },
      'TIME_INVALID',
      'attributes[0].marked_email_as_spam_at must be a time such as 2026-01-31T12:00:00Z',
    ],
    [{ '': 1 }, 'ATTRIBUTE_NAME_INVALID', 'attributes[0] has an attribute name that must not be empty'],
    [{ $set: 1 }, 'ATTRIBUTE_NAME_INVALID', 'attributes[0] has an attribute name that must not begin with $'],
    [
      { ['x'.repeat(256)]: 1 },
      'ATTRIBUTE_NAME_INVALID',
      'attributes[0] has an attribute name that must not be longer than 255 characters',
    ],
    [
      { 'a\0': 1 },
      'ATTRIBUTE_NAME_INVALID',
      'attributes[0] has an attribute name that must be well-formed text without NUL characters',
    ],
    [
      { color: 'x'.repeat(256) },
      'ATTRIBUTE_VALUE_INVALID',
      'attributes[0].color must not be longer than 255 characters',
    ],
    [JSON.parse('{"size": 1e999}'), 'ATTRIBUTE_VALUE_INVALID', `attributes[0].size ${value}`],
    [{ visits: { inc: '1' } }, 'ATTRIBUTE_VALUE_INVALID', 'attributes[0].visits.inc must be a whole number'],
    [{ visits: { inc: 1.5 } }, 'ATTRIBUTE_VALUE_INVALID', 'attributes[0].visits.inc must be a whole number'],
    [{ visits: { inc: 1, add: [] } }, 'ATTRIBUTE_TYPE_NOT_SUPPORTED', `attributes[0].visits ${later}`],
    [{ home: { city: 'London' } }, 'ATTRIBUTE_TYPE_NOT_SUPPORTED', `attributes[0].home ${later}`],
    [{ home: {} }, 'ATTRIBUTE_TYPE_NOT_SUPPORTED', `attributes[0].home ${later}`],
    [{ pets: [{ name: 'Rex' }] }, 'ATTRIBUTE_TYPE_NOT_SUPPORTED', `attributes[0].pets[0] ${later}`],
    [
      { current_location: { longitude: 1, latitude: 2 } },
      'ATTRIBUTE_TYPE_NOT_SUPPORTED',
      `attributes[0].current_location ${later}`,
    ],
    [
      { push_tokens: [] },
      'ATTRIBUTE_TYPE_NOT_SUPPORTED',
      'attributes[0].push_tokens is a field that is not supported yet',
    ],
  ])('%# is %s', (more, code, type) => {
    expect(refusal('attributes', anAttribute(more))).toEqual({ code, type });
  });

  it.each([
    [{ email_subscribe: 'opted_in', push_subscribe: 'unsubscribed' }],
    [{ email_subscribe: null, push_subscribe: null, gender: null, dob: null, date_of_last_session: null }],
    [
      {
        first_name: 'Ada',
        last_name: 'Lovelace',
        gender: 'F',
        home_city: 'London',
        language: 'en',
        country: 'United Kingdom',
      },
    ],
    [{ dob: '1984-02-29', time_zone: 'Nowhere', image_url: 'https://example.com/ada.png' }],
    [
      {
        email_open_tracking_disabled: true,
        email_click_tracking_disabled: false,
        marked_email_as_spam_at: '2026-01-31',
      },
    ],
    [
      {
        color: 'green',
        age: 36,
        ratio: 0.5,
        vip: true,
        tags: ['a', 'b'],
        none: null,
        empty: [],
        visits: { inc: -2 },
      },
    ],
    [{ 'a.b': 1, 'with space': 2, _merge_objects: true }],
    [JSON.parse('{"__proto__": "x", "constructor": 1, "toString": null, "hasOwnProperty": true}')],
  ])('%j is accepted as it is', (more) => {
    const entry = { ...anAttribute(), ...more };
    expect(accepted(track({ attributes: [entry] })).body.attributes?.[0]).toBe(entry);
  });
});

describe('users.export.ids', () => {
  const ask = (body: unknown) => judge(named('users.export.ids'), { body }, settings);
  const fields_to_export = ['external_id', 'email'];

  it.each([
    [{}, 'BODY_INVALID', "'fields_to_export' is required"],
    [{ fields_to_export: 'email' }, 'BODY_INVALID', 'fields_to_export must be an array'],
    [{ fields_to_export: [5] }, 'BODY_INVALID', 'fields_to_export[0] must be a string'],
    [
      { fields_to_export: ['email', 'shoe_size'] },
      'FIELD_NOT_EXPORTABLE',
      "'shoe_size' in 'fields_to_export' is not a field of the exported user",
    ],
    [{ fields_to_export, external_ids: 'ada' }, 'BODY_INVALID', 'external_ids must be an array'],
    [{ fields_to_export, external_ids: [''] }, 'BODY_INVALID', 'external_ids[0] must not be empty'],
    [{ fields_to_export, user_aliases: [{ alias_name: 'a' }] }, 'BODY_INVALID', "'alias_label' is required"],
    [
      { fields_to_export, user_aliases: [{ alias_name: 'a', alias_label: 5 }] },
      'BODY_INVALID',
      'user_aliases[0].alias_label must be a string',
    ],
    [
      { fields_to_export, external_ids: Array(51).fill('a') },
      'TOO_MANY_IDENTIFIERS',
      'The max number of external_ids and aliases per request was exceeded',
    ],
    [
      { fields_to_export, user_aliases: Array(51).fill({ alias_name: 'a', alias_label: 'l' }) },
      'TOO_MANY_IDENTIFIERS',
      'The max number of external_ids and aliases per request was exceeded',
    ],
    [
      { fields_to_export, phone: '+12125550123', email_address: 'a@example.com' },
      'IDENTIFIERS_CONFLICT',
      "Only one of 'service_id', 'email_address' or 'phone' may be sent in one request",
    ],
  ])('%# is refused: %s', (body, code, message) => {
    expect(rejected(ask(body))).toMatchObject({ status: 400, code, message });
  });

  it('hands on what is declared, ids as texts and phones as E.164', () => {
    const verdict = ask({ fields_to_export, external_ids: ['a', 5], phone: '212 555 0123', partner: 'x' });
    expect(verdict).toMatchObject({
      ok: true,
      entries: 1,
      accepted: { body: { fields_to_export, external_ids: ['a', '5'], phone: '+12125550123' } },
    });
    expect(verdict.ok && verdict.accepted.body).not.toHaveProperty('partner');
  });
});

describe('requests.read', () => {
  it('hands on the id and ignores everything else', () => {
    const verdict = judge(
      named('requests.read'),
      { params: { id: 'r1', other: 'x' }, query: { a: 'b' }, body: [] },
      settings,
    );
    expect(verdict).toMatchObject({ ok: true, accepted: { params: { id: 'r1' } } });
    expect(verdict.ok && verdict.accepted).toEqual({ params: { id: 'r1' } });
  });

  it('refuses a parameter out of bounds', () => {
    const verdict = judge(named('requests.read'), { params: { id: 'r'.repeat(256) } }, settings);
    expect(rejected(verdict)).toMatchObject({
      code: 'PARAMETER_INVALID',
      message: 'id must not be longer than 255 characters',
    });
  });
});
